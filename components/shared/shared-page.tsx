'use client';

import type { CSSProperties } from 'react';
import Link from 'next/link';
import { ArrowDownToLine, Shuffle } from 'lucide-react';
import { withNext } from '#components/auth/next-path';
import { PreviewBadge } from '#components/generations/preview-badge';
import { remixHref } from '#components/generations/reuse';
import { SharedMedia } from '#components/shared/shared-media';
import { Button } from '#components/ui/button';
import { downloadAddress } from '#lib/client/download-address';
import type { SharedItemWire, SharedWire } from '#lib/contract/library-schemas';

/** Page of a share: one result as large as the window allows, or a collection. */
export function SharedPage({ shared, token, isFirst }: { shared: SharedWire; token: string; isFirst: boolean }) {
  const { of, title, notes, items, next_cursor } = shared;
  const only = items.length === 1 && isFirst ? items[0] : undefined;
  if (only && of === 'result') return <One item={only} token={token} />;
  return (
    <>
      <header className="grid grid-cols-1 gap-2 pb-8">
        <h1 className="font-title text-head break-words">{title}</h1>
        {notes && <p className="max-w-prose whitespace-pre-line text-soft">{notes}</p>}
      </header>
      {only ? (
        <One item={only} token={token} isTitled />
      ) : (
        // in each row, the results are equally high; factors below 1 in sum would leave a part of a row empty
        <ul className="flex flex-wrap gap-x-5 gap-y-8">
          {items.map((item, index) => (
            <li
              key={item.request_id}
              style={{ '--ratio': ratioOf(item, 1) } as CSSProperties}
              className="grid max-w-[min(100%,var(--ratio)*24rem)] max-sm:max-w-[min(100%,var(--ratio)*40rem)] grow-[calc(var(--ratio)*9)] basis-[calc(var(--ratio)*18rem)] grid-cols-1 content-start gap-3"
            >
              <div data-media className="relative aspect-(--ratio) overflow-hidden rounded-lg bg-sunk">
                <SharedMedia item={item} sizes="(min-width: 768px) 560px, 92vw" isFirst={index < 4} />
                {item.preview && <PreviewBadge onMedia className="absolute top-2 left-2" />}
              </div>
              {item.prompt && (
                <p dir="auto" className="line-clamp-3 text-sm break-words text-soft">
                  {item.prompt}
                </p>
              )}
              <Acts item={item} token={token} isSmall />
            </li>
          ))}
        </ul>
      )}
      {(next_cursor !== null || !isFirst) && (
        <nav aria-label="The whole collection" className="flex flex-wrap justify-center gap-3 pt-10">
          {!isFirst && (
            <Button asChild>
              <Link href={`/s/${token}`}>From the beginning</Link>
            </Button>
          )}
          {next_cursor !== null && (
            <Button asChild>
              <Link href={`/s/${token}?cursor=${encodeURIComponent(next_cursor)}`}>Show more</Link>
            </Button>
          )}
        </nav>
      )}
    </>
  );
}

/** A single shared result. `isTitled`: whether the title of its collection stands above it. */
function One({ item, token, isTitled }: { item: SharedItemWire; token: string; isTitled?: boolean }) {
  const Prompt = isTitled ? 'p' : 'h1';
  const { width, height } = item.result;
  const ratio = ratioOf(item, 5 / 2);
  return (
    <article className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-10">
      <div
        data-media
        className="relative mx-auto w-full overflow-hidden rounded-lg bg-sunk"
        style={{ aspectRatio: ratio, maxWidth: `calc(78dvh * ${ratio})` }}
      >
        <SharedMedia item={item} sizes="(min-width: 1024px) 70vw, 92vw" isFirst />
      </div>
      <div className="grid grid-cols-1 content-start gap-5">
        {item.prompt ? (
          <Prompt dir="auto" className="text-lg break-words whitespace-pre-line">
            {item.prompt}
          </Prompt>
        ) : (
          !isTitled && <h1 className="font-title text-head">Shared with you</h1>
        )}
        <p className="figures flex flex-wrap items-center gap-x-2 text-sm text-faint empty:hidden">
          {item.architecture &&
            `Made with ${item.model_id ?? item.architecture}${height > 0 ? `, ${width} × ${height}` : ''}`}
          {item.preview && <PreviewBadge />}
        </p>
        <Acts item={item} token={token} />
      </div>
    </article>
  );
}

/** Returns width divided by height. `player` is that of a sound, which has no height. */
const ratioOf = ({ result: { width, height } }: SharedItemWire, player: number): number =>
  height ? width / height : player;

function Acts({ item, token, isSmall }: { item: SharedItemWire; token: string; isSmall?: boolean }) {
  const { request_id, architecture, settings, result } = item;
  const size = isSmall ? 'sm' : 'md';
  return (
    <div className="flex flex-wrap gap-2">
      {architecture && settings && (
        <Button asChild tone="primary" size={size}>
          {/* most visitors of a shared page are signed out; the sign-in page sends the others on directly */}
          <Link href={withNext('/sign-in', remixHref({ request_id, architecture }, token))} prefetch={false}>
            <Shuffle className="size-4" aria-hidden /> Remix
          </Link>
        </Button>
      )}
      <Button asChild size={size}>
        <a href={downloadAddress(result.url, 'shared')} download>
          <ArrowDownToLine className="size-4" aria-hidden /> Download
        </a>
      </Button>
    </div>
  );
}
