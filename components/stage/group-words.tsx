'use client';

import { Emblem } from '#components/architectures/emblem';
import { PreviewBadge } from '#components/generations/preview-badge';
import { clockOf, costOf, expiryOf, isOver } from '#components/generations/words';
import { GroupActs } from '#components/stage/group-acts';
import type { Place } from '#components/stage/to-groups';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';
import { sum } from '#lib/sum';

/** Label of a press: prompt, model, size, price, age, and the acts on all of its results. */
export function GroupWords({
  places,
  title,
  entries,
}: {
  places: readonly Place[];
  title: string;
  entries: readonly CatalogEntry[];
}) {
  const { request, submission } = places[0]!;
  const requests = places.flatMap(place => place.request ?? []);
  const architecture = request?.architecture ?? submission?.architecture ?? '';
  const entry = entries.find(({ id }) => id === architecture);
  const variant = request?.model_id ?? String(submission?.body.model_id ?? '');
  // the note on a refusal says that nothing was charged
  const isCharged = places.some(place => place.request || !place.submission?.refusal);
  return (
    <div className="stage-words">
      <div className="grid grid-cols-1 gap-x-8 gap-y-3 @min-[44rem]:grid-cols-[minmax(0,1fr)_auto]">
        <p dir="auto" className="font-title stage-prompt whitespace-pre-line">
          {title}
        </p>
        <div className="grid grid-cols-1 content-start gap-3 @min-[44rem]:justify-items-end">
          <p className="figures flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft @min-[44rem]:justify-end">
            <span className="inline-flex items-center gap-1.5">
              <Emblem id={architecture} className="size-4" />
              {entry?.name ?? architecture}
              {variant && <span className="text-faint">{variant}</span>}
            </span>
            {request?.preview && <PreviewBadge />}
            {request && <Measure request={request} />}
            {isCharged && <GemAmount gems={sum(places.map(gemsOf))} />}
            {request && <Moment at={request.created_at} className="text-faint" />}
            <Expiry requests={requests} />
          </p>
          {requests.length > 0 && <GroupActs requests={requests} entries={entries} />}
        </div>
      </div>
    </div>
  );
}

const gemsOf = ({ request, submission }: Place): number =>
  request ? costOf(request) : submission && !submission.refusal ? submission.gems : 0;

/** Size of a result in pixels, and its duration. */
function Measure({ request: { type, expected, result } }: { request: RequestWire }) {
  const { width, height } = result ?? expected;
  const seconds = result?.duration ?? expected.duration;
  return (
    <span className="text-faint">
      {type !== 'audio' && height > 0 && `${width} × ${height}`}
      {type === 'video' && ', '}
      {type !== 'image' && clockOf(seconds)}
    </span>
  );
}

/** Shows how long all of the files are still stored: the time until the first of them expires. */
function Expiry({ requests }: { requests: readonly RequestWire[] }) {
  const [end] = requests
    .flatMap(({ result }) => (result && !isOver(result.expires_at) ? result.expires_at : []))
    .toSorted();
  return (
    end && (
      <span className="text-faint" suppressHydrationWarning>
        {expiryOf(end)}
      </span>
    )
  );
}
