'use client';

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a cell of a grid that is not a table */

import { memo, type MouseEvent } from 'react';
import Link from 'next/link';
import { Heart } from 'lucide-react';
import { carriedOf } from '#components/carry/carried-of';
import { dragSource } from '#components/carry/drag';
import { Emblem } from '#components/architectures/emblem';
import { labelOf } from '#components/generations/name-of';
import { CAPTION } from '#components/history/layout-rows';
import { TileMenu } from '#components/history/tile-menu';
import { PreviewBadge } from '#components/generations/preview-badge';
import { RequestMedia } from '#components/generations/request-media';
import { expiryOf, momentOf } from '#components/generations/words';
import { SelectCircle } from '#components/media/select-circle';
import { cn } from '#components/ui/cn';
import { StatusChip } from '#components/ui/badge';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

export interface TileActs {
  onOpen: (id: string) => void;
  onSelect: (index: number, options: { range: boolean }) => void;
  onFavourite: (request: RequestWire) => void;
  onFocus: (index: number) => void;
}

interface Props extends TileActs {
  request: RequestWire;
  index: number;
  width: number;
  /** Quarter of an hour of the last update. A new one re-renders the tile, which shows the time left. */
  quarter: number;
  mediaHeight: number;
  isSelected: boolean;
  /** Requests that are dragged along with this one: the whole selection, when this one is selected. */
  along: readonly RequestWire[];
  /** Whether a press selects instead of opening. */
  isSelecting: boolean;
  /** Whether this is the one tile that Tab reaches. */
  isCurrent: boolean;
}

/** Number of tiles in the first rows of most windows. */
const FIRST = 6;

const HIDDEN = 'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 pointer-coarse:hidden';

/** One request in the gallery. */
export const GalleryTile = memo(function GalleryTile({
  request,
  index,
  width,
  mediaHeight,
  isSelected,
  along,
  isSelecting,
  isCurrent,
  onOpen,
  onSelect,
  onFavourite,
  onFocus,
}: Props) {
  const { request_id, favourite } = request;
  const name = labelOf(request);
  const tabIndex = isCurrent ? 0 : -1;
  const press = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (isSelecting || event.shiftKey) onSelect(index, { range: event.shiftKey });
    else onOpen(request_id);
  };
  return (
    <div
      role="gridcell"
      data-media
      aria-selected={isSelected}
      className="group relative min-w-0 shrink-0"
      style={{ width }}
      {...dragSource((isSelected ? along : [request]).flatMap(one => carriedOf(one) ?? []))}
      onFocus={() => onFocus(index)}
    >
      <Link
        href={`/history/${request_id}`}
        prefetch={false}
        tabIndex={tabIndex}
        data-tile={index}
        data-opens={request_id}
        onClick={press}
        draggable={false}
        className="block focus-visible:rounded-md"
      >
        <div
          className={cn(
            '@container relative overflow-hidden rounded-md bg-sunk transition-[scale]',
            isSelected && 'scale-[0.94]',
          )}
          style={{ height: mediaHeight }}
        >
          <RequestMedia request={request} sizes={`${width}px`} isFirst={index < FIRST} tabIndex={tabIndex} />
          {request.preview && request.result && <PreviewBadge onMedia className="absolute bottom-2 left-2" />}
        </div>
        <div className="@container grid content-start pt-1.5 pr-5" style={{ height: `${CAPTION / 16}rem` }}>
          <p dir="auto" className="truncate text-sm">
            {name}
          </p>
          <CaptionFacts request={request} />
        </div>
      </Link>
      <SelectCircle
        label={`Select: ${name}`}
        tabIndex={tabIndex}
        checked={isSelected}
        onChange={() => {}}
        onClick={event => onSelect(index, { range: event.shiftKey })}
        className={cn('top-2 left-2', !isSelecting && HIDDEN)}
      />
      <button
        type="button"
        tabIndex={tabIndex}
        aria-pressed={favourite}
        aria-label={`Favourite: ${name}`}
        onClick={() => onFavourite(request)}
        className={cn(
          'finger absolute top-2 right-2 grid size-8 place-items-center rounded-full bg-[#15110e80] text-[#f2eadd] transition-opacity focus-visible:rounded-full',
          favourite ? 'text-[#ff9a66]' : HIDDEN,
        )}
      >
        <Heart className={cn('size-4.5', favourite && 'fill-current')} aria-hidden />
      </button>
      {!isSelecting && <TileMenu request={request} name={name} tabIndex={tabIndex} />}
    </div>
  );
});

function CaptionFacts({ request }: { request: RequestWire }) {
  const { architecture, status, result } = request;
  return (
    <p className="figures flex items-center gap-1.5 overflow-hidden text-xs whitespace-nowrap text-faint">
      <Emblem id={architecture} className="size-3.5" />
      <span className="sr-only">{architecture}, </span>
      {result ? (
        <time
          dateTime={result.expires_at}
          suppressHydrationWarning
          onPointerEnter={({ currentTarget }) => {
            if (!request.kept) currentTarget.title = `Kept until ${momentOf(result.expires_at)}`;
          }}
        >
          <Words all={expiryOf(result.expires_at)} few={expiryOf(result.expires_at, { isShort: true })} />
        </time>
      ) : isLive(status) ? (
        <Words all="In progress" few="Making" />
      ) : (
        <StatusChip status={status} className="border-0 px-0" />
      )}
    </p>
  );
}

/** Shows the full text, or the short one on the narrowest tiles. */
const Words = ({ all, few }: { all: string; few: string }) => (
  <>
    <span className="@max-[5.75rem]:sr-only">{all}</span>
    <span aria-hidden className="@min-[5.75rem]:hidden">
      {few}
    </span>
  </>
);
