'use client';

import { useQuery } from '@tanstack/react-query';
import { Emblem } from '#components/architectures/emblem';
import { GenerationCard } from '#components/generations/generation-card';
import { shapeOf } from '#components/generations/generation-media';
import { Place, Rows } from '#components/generations/rows';
import { UseAs } from '#components/generations/use-as';
import { Skeleton } from '#components/ui/skeleton';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { recentRequestsQuery } from '#lib/client/queries';

const MOST = 12;

/** What was made before this visit; for an account that has made nothing yet, where to begin. */
export function EarlierResults({
  besides,
  entry,
  entries,
  isAlone,
}: {
  /** Ids that are shown already. */
  besides: readonly string[];
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  isAlone: boolean;
}) {
  const { data, isError } = useQuery(recentRequestsQuery);
  const earlier = data
    ?.filter(({ request_id, result }) => result && !besides.includes(request_id) && !isOver(result.expires_at))
    .slice(0, MOST);
  if (!data) return isAlone && !isError ? <Loading /> : null;
  if (!earlier?.length) return isAlone ? <Beginning entry={entry} /> : null;
  return (
    <section aria-labelledby="earlier" className="grid gap-5">
      <h2 id="earlier" className="font-title text-title">
        Earlier
      </h2>
      <Rows>
        {earlier.map(request => (
          <Place key={request.request_id} aspect={shapeOf(request)}>
            <GenerationCard
              request={request}
              aspect={shapeOf(request)}
              actions={<UseAs request={request} entry={entry} entries={entries} />}
            />
          </Place>
        ))}
      </Rows>
    </section>
  );
}

const isOver = (time: string) => Date.parse(time) < Date.now();

function Loading() {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-7 w-28" />
      <Rows>
        {[0.8, 1.5, 1, 1.78, 0.8, 1.3].map((aspect, index) => (
          <Place key={index} aspect={aspect}>
            <Skeleton className="h-60" />
          </Place>
        ))}
      </Rows>
    </div>
  );
}

function Beginning({ entry }: { entry: CatalogEntry }) {
  return (
    <div className="grid min-h-[60dvh] content-center justify-items-center gap-4 text-center">
      <Emblem id={entry.id} className="size-24" />
      <h2 className="font-title text-head">Nothing has grown yet</h2>
      <p className="max-w-sm text-soft">
        Say what you want to {entry.type === 'audio' ? 'hear' : 'see'}, and press Create. It grows here, and you can
        leave the page meanwhile.
      </p>
    </div>
  );
}
