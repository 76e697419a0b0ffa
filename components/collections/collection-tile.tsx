'use client';

import { ArrowLeft, ArrowLeftToLine, ArrowRight, ArrowRightToLine, Ellipsis, FolderMinus, Image } from 'lucide-react';
import { labelOf } from '#components/generations/name-of';
import { RequestMedia } from '#components/generations/request-media';
import { expiryOf } from '#components/generations/words';
import { cn } from '#components/ui/cn';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import type { MenuItem } from '#components/ui/dropdown-menu-open';
import { OpenLink } from '#components/viewer/open-link';
import type { RequestWire } from '#lib/contract/schemas';

export type Place = 'first' | 'earlier' | 'later' | 'last';

const MOVES = [
  { place: 'first', label: 'Move to the front', icon: ArrowLeftToLine },
  { place: 'earlier', label: 'Move earlier', icon: ArrowLeft },
  { place: 'later', label: 'Move later', icon: ArrowRight },
  { place: 'last', label: 'Move to the end', icon: ArrowRightToLine },
] as const;

interface Props {
  request: RequestWire;
  place: { index: number; of: number };
  isCover: boolean;
  isDragged: boolean;
  onCover: () => void;
  onTake: () => void;
  onMove: (place: Place) => void;
  /** Called with the id when dragging begins, and with null when it ends. */
  onDrag: (id: string | null) => void;
  /** Called when something is dropped on this tile. */
  onDrop: () => void;
}

/** A result in a collection, which can be moved by dragging, or by its menu without a pointer. */
export function CollectionTile({ request, place, isCover, isDragged, onCover, onTake, onMove, ...drag }: Props) {
  const { request_id } = request;
  const items: MenuItem[] = [
    ...MOVES.map(({ place: to, label, icon: Icon }) => ({
      label,
      icon: <Icon aria-hidden />,
      disabled: to === 'first' || to === 'earlier' ? place.index === 0 : place.index === place.of - 1,
      onSelect: () => onMove(to),
    })),
    { kind: 'line' },
    { label: 'Use as cover', icon: <Image aria-hidden />, disabled: isCover, onSelect: onCover },
    { label: 'Remove from the collection', icon: <FolderMinus aria-hidden />, onSelect: onTake },
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the menu offers the same moves
    <li
      data-media
      draggable
      onDragStart={event => {
        event.dataTransfer.effectAllowed = 'copyMove';
        event.dataTransfer.setData('text/uri-list', request.result?.url ?? '');
        drag.onDrag(request_id);
      }}
      onDragEnd={() => drag.onDrag(null)}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault();
        drag.onDrop();
      }}
      className={cn('group relative cursor-grab transition-opacity', isDragged && 'opacity-40')}
    >
      <div className="relative aspect-square overflow-hidden rounded-md bg-sunk">
        <RequestMedia request={request} sizes="(min-width: 768px) 320px, 45vw" />
        <OpenLink request={request} />
        {isCover && (
          <span className="on-picture pointer-events-none absolute bottom-2 left-2 rounded-full px-2.5 py-1 text-xs">
            Cover
          </span>
        )}
      </div>
      <p className="figures h-6 pt-1.5 text-xs text-faint" suppressHydrationWarning>
        {request.result && expiryOf(request.result.expires_at)}
      </p>
      <div className="absolute top-2 right-2 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        <DropdownMenu
          align="end"
          trigger={
            <button
              type="button"
              aria-label={`More: ${labelOf(request)}`}
              className="on-picture grid size-9 place-items-center rounded-full focus-visible:rounded-full pointer-coarse:size-11"
            >
              <Ellipsis className="size-4.5" aria-hidden />
            </button>
          }
          items={items}
        />
      </div>
    </li>
  );
}
