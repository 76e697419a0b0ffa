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

/** Arrows, Home and End move; Shift with them selects; Space selects, F marks a favourite, Delete deletes. */
export function useGridKeys(options: Options) {
  const { requests, current, go, onSelect, onFavourite, onSelectAll, onDelete } = options;
  return (event: KeyboardEvent) => {
    const request = requests[current];
    // a menu of a tile has its own keys, and they come by here, too
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
    // a control inside the tile has its own Space
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
    // Shift, and a locked one, make letters large
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    // held down, it would go on with the neighbours
    if (!event.repeat) act();
  };
}

/** Where a key leads, of those that move. */
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

/** The tile of the next row of tiles that lies closest to the middle of this one. */
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
