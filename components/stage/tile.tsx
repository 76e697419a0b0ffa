'use client';

import { memo } from 'react';
import { carriedOf } from '#components/carry/carried-of';
import { dragSource } from '#components/carry/drag';
import { ActBar } from '#components/generations/act-bar';
import { CancelButton } from '#components/generations/cancel-button';
import { FailureNote } from '#components/generations/failure-note';
import { labelOf } from '#components/generations/name-of';
import { RequestMedia } from '#components/generations/request-media';
import { useActs } from '#components/generations/use-acts';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { OpenLink } from '#components/viewer/open-link';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

/** One result of a press in its place: it opens in the viewer, and has its acts on it. */
export const Tile = memo(function Tile({
  request,
  entries,
  sizes,
  isFirst,
  isAlone,
}: {
  request: RequestWire;
  entries: readonly CatalogEntry[];
  sizes: string;
  isFirst: boolean;
  /** Whether it is the only result of its press. */
  isAlone?: boolean;
}) {
  const acts = useActs(request, entries);
  const again = acts.find(({ id }) => id === 'again');
  const { request_id, status, error, billing } = request;
  const name = labelOf(request);
  return (
    <article
      aria-label={name}
      data-media={request_id}
      {...dragSource(carriedOf(request))}
      className="@container relative min-w-0 overflow-clip bg-sunk"
    >
      <RequestMedia
        request={request}
        sizes={sizes}
        isFirst={isFirst}
        isLarge
        failure={
          error && (
            <FailureNote
              {...error}
              gemsRefunded={billing.gems_refunded}
              retry={
                again && (
                  // above the link to the viewer, which covers the tile
                  <Button size="sm" onClick={again.onPress} className="z-10">
                    {again.name}
                    {!!again.gems && <GemAmount gems={again.gems} />}
                  </Button>
                )
              }
              className="stage-failure"
            />
          )
        }
      />
      <OpenLink request={request} />
      {isLive(status) ? (
        <CancelButton
          request={request}
          className="absolute top-2 right-2 z-10 rounded-md bg-raised/92 p-2 @max-[6rem]:[&>svg]:hidden"
          // on a phone, a tile in a group of four is hardly larger than the question
          asking="@max-[15rem]:inset-0 @max-[15rem]:bg-raised @max-[15rem]:content-center-safe @max-[15rem]:overflow-y-auto @max-[15rem]:p-1.5"
        />
      ) : (
        <ActBar acts={acts} of={name} isTwice={isAlone} />
      )}
    </article>
  );
});
