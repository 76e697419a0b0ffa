'use client';

import type { ReactNode } from 'react';
import Link from 'next/link';
import { Emblem } from '#components/architectures/emblem';
import { PreviewBadge } from '#components/generations/preview-badge';
import { clockOf, expiryOf, isOver } from '#components/generations/words';
import { TagsField } from '#components/library/tags-field';
import { StatusChip } from '#components/ui/badge';
import { CopyButton } from '#components/ui/copy-button';
import { formatBytes } from '#components/ui/format-bytes';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { isPlain, settingsOf } from '#components/viewer/settings-of';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestDetailWire, RequestWire } from '#lib/contract/schemas';

// loaded on demand, because few requests have inputs
const MadeFrom = onDemand(async () => (await import('#components/viewer/made-from')).MadeFrom);

type Detail = RequestWire & Partial<Pick<RequestDetailWire, 'config' | 'mentions' | 'tags' | 'inputs'>>;

/** Details of a request except its prompt: mentions, tags, settings, seed, price and dates. */
export function ViewerFacts({ request, entry }: { request: Detail; entry: CatalogEntry | undefined }) {
  const { architecture, model_id, status, result, billing, created_at, finished_at, mentions, tags, inputs } = request;
  return (
    <div className="grid gap-6">
      {!!mentions?.length && (
        <ul aria-label="Mentions" className="flex flex-wrap gap-2">
          {mentions.map(({ handle, id, kind }) => (
            <li key={id}>
              <Link
                href={`/history?mention=${handle}`}
                title={`Everything with @${handle}`}
                className="inline-flex rounded-full border px-3 py-1 text-sm hover:border-edge hover:text-accent-ink"
              >
                @{handle}
                <span className="sr-only">, {kind}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}

      {/* the details follow: without their room, the facts below would jump */}
      {tags ? <TagsField request={{ ...request, tags }} /> : <div className="min-h-7.5 pointer-coarse:min-h-11.5" />}

      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-5 gap-y-2 text-sm">
        {status !== 'completed' && (
          <Fact name="State">
            <StatusChip status={status} />
          </Fact>
        )}
        <Fact name="Model">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <Emblem id={architecture} className="size-5 self-center" />
            <span className="whitespace-nowrap">{entry?.name ?? architecture}</span>{' '}
            <span className="text-faint">{model_id}</span>
            {request.preview && <PreviewBadge />}
          </span>
        </Fact>
        {result && result.width > 0 && (
          <Fact name="Size">
            {result.width} × {result.height}, {formatBytes(result.bytes)}
          </Fact>
        )}
        {result?.duration !== undefined && <Fact name="Length">{clockOf(result.duration)}</Fact>}
        {result && (
          <Fact name="Seed">
            <span className="inline-flex flex-wrap items-center gap-1">
              <span className="min-w-0 wrap-anywhere">{result.seed}</span>
              <CopyButton text={String(result.seed)} of="seed" className="-my-1 min-h-7 px-2 pointer-coarse:-my-3" />
            </span>
          </Fact>
        )}
        <Fact name="Price">
          <GemAmount gems={billing.gems_charged} />
          {billing.gems_refunded !== undefined && ', refunded'}
        </Fact>
        <Fact name="Made">
          <Moment at={created_at} as="whole" />
          {finished_at && <span className="text-faint">, in {took(created_at, finished_at)}</span>}
        </Fact>
        {request.kept && !request.removed_at && <Fact name="Kept">until you delete it</Fact>}
        {result && !request.kept && !request.removed_at && (
          <Fact name={isOver(result.expires_at) ? 'Expired' : 'Expires'}>
            <Moment at={result.expires_at} as="whole" />
            {!isOver(result.expires_at) && (
              <span className="text-faint" suppressHydrationWarning>
                , {expiryOf(result.expires_at).toLowerCase()}
              </span>
            )}
          </Fact>
        )}
        {settingsOf(request, entry).map(
          ([title, value]) =>
            isPlain(value) && (
              <Fact key={title} name={title}>
                {value}
              </Fact>
            ),
        )}
      </dl>

      {!!inputs?.length && (
        <InPlace>
          <MadeFrom inputs={inputs} />
        </InPlace>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="figures min-w-0 break-words">{children}</dd>
    </>
  );
}

function took(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  return seconds < 90 ? `${seconds.toFixed(1)}\u00a0s` : `${Math.round(seconds / 60)}\u00a0min`;
}
