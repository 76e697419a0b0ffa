'use client';

import type { KeyboardEvent } from 'react';
import type { GalleryRow } from '#components/history/layout-rows';
import type { RequestWire } from '#lib/contract/schemas';

export interface GridKeys {
  onSelectAll: () => void;
  onDelete: (request: RequestWire) => void;
}

interface Options extends GridKeys {
  requests: readonly RequestWire[];
  rows: readonly GalleryRow[];
  rowOf: (index: number) => number | undefined;
  current: number;
  go: (index: number) => void;
  onSelect: (index: number, options: { range: boolean }) => void;
  onFavourite: (request: RequestWire) => void;
}

/** Arrow keys, Home and End move, with Shift they select; Space or X selects, F toggles a favourite, Delete deletes. */
export function useGridKeys(options: Options) {
  const { requests, current, go, onSelect, onFavourite, onSelectAll, onDelete } = options;
  return (event: KeyboardEvent) => {
    const request = requests[current];
    // a tile's menu handles its own keys; React bubbles them up to this handler, too
    const isElsewhere = event.defaultPrevented || !event.currentTarget.contains(event.target as Node);
    if (!request || event.altKey || isElsewhere) return;
    const moved = target(options, event.key);
    if (moved !== undefined) {
      event.preventDefault();
      if (moved === current) return;
      if (event.shiftKey) {
        onSelect(current, { range: true });
        onSelect(moved, { range: true });
      }
      go(moved);
      return;
    }
    const isModified = event.ctrlKey || event.metaKey;
    // a control inside the tile handles Space itself
    const isOnTile = event.target instanceof HTMLElement && event.target.dataset.tile !== undefined;
    const select = () => onSelect(current, { range: event.shiftKey });
    const remove = () => onDelete(request);
    const acts: Record<string, (() => void) | undefined> = isModified
      ? { a: onSelectAll }
      : {
          ' ': isOnTile ? select : undefined,
          x: select,
          f: () => onFavourite(request),
          delete: remove,
          backspace: remove,
        };
    // Shift and Caps Lock produce upper-case letters
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    // a repeating key would act on the neighbouring tiles, too
    if (!event.repeat) act();
  };
}

/** Returns the index that a navigation key leads to; undefined for other keys. */
function target({ rows, rowOf, current }: Options, key: string): number | undefined {
  const row = rows.at(-1);
  const last = row?.kind === 'tiles' ? (row.tiles.at(-1)?.index ?? 0) : 0;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, current - 1);
    case 'ArrowRight':
      return Math.min(last, current + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowUp':
      return inRow(rows, rowOf(current), current, -1) ?? current;
    case 'ArrowDown':
      return inRow(rows, rowOf(current), current, 1) ?? current;
    default:
      return undefined;
  }
}

/** Returns the index of the tile in the next row whose middle is closest to that of the current tile. */
function inRow(
  rows: readonly GalleryRow[],
  from: number | undefined,
  current: number,
  step: 1 | -1,
): number | undefined {
  const own = from === undefined ? undefined : rows[from];
  if (from === undefined || own?.kind !== 'tiles') return undefined;
  let next = from + step;
  if (rows[next]?.kind === 'day') next += step;
  const row = rows[next];
  if (row?.kind !== 'tiles') return undefined;
  const middle = middles(own).find(({ index }) => index === current)?.at ?? 0;
  return middles(row).reduce((best, tile) => (Math.abs(tile.at - middle) < Math.abs(best.at - middle) ? tile : best))
    .index;
}

function middles({ tiles }: Extract<GalleryRow, { kind: 'tiles' }>) {
  let left = 0;
  return tiles.map(({ index, width }) => {
    const at = left + width / 2;
    left += width;
    return { index, at };
  });
}
