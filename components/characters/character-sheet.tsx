'use client';

import { ImagePlus, Plus } from 'lucide-react';
import { offerCarried } from '#components/carry/carried';
import { dragSource } from '#components/carry/drag';
import { carriedPicture } from '#components/characters/carried-picture';
import { cn } from '#components/ui/cn';
import type { CharacterWire } from '#lib/contract/cast-schemas';
import { MORE_PICTURES } from '#lib/contract/more-pictures';

/** The pictures of a character laid out: the portrait large, the others beside it. Each can be used anywhere. */
export function CharacterSheet({ character, onAdd }: { character: CharacterWire; onAdd: () => void }) {
  const { name, image_url, additional_image_urls: more } = character;
  const pictures = [image_url, ...more];
  return (
    <ul
      aria-label={`Pictures of ${name}`}
      className="grid auto-rows-fr grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6"
    >
      {pictures.map((url, index) => (
        <Picture key={url} character={character} url={url} number={index + 1} />
      ))}
      {more.length < MORE_PICTURES && (
        <li className="grid aspect-4/5">
          <button
            type="button"
            onClick={onAdd}
            className="grid content-center justify-items-center gap-2 rounded-lg border border-dashed border-edge/70 px-4 text-center text-sm text-soft transition-colors hover:border-ink hover:text-ink"
          >
            <Plus className="size-5 text-faint" aria-hidden />
            Add pictures
          </button>
        </li>
      )}
    </ul>
  );
}

function Picture({ character, url, number }: { character: CharacterWire; url: string; number: number }) {
  const label = number === 1 ? `Portrait of ${character.name}` : `Picture ${number} of ${character.name}`;
  const carried = carriedPicture(character, url);
  return (
    <li
      className={cn(
        'relative overflow-hidden rounded-lg bg-sunk',
        number === 1 ? 'col-span-2 row-span-2' : 'aspect-4/5',
      )}
      {...dragSource(carried)}
    >
      {/* oxlint-disable-next-line nextjs/no-img-element -- media come as they are */}
      <img
        src={url}
        alt={label}
        draggable={false}
        fetchPriority={number === 1 ? 'high' : 'auto'}
        className="absolute inset-0 size-full object-cover"
      />
      <button
        type="button"
        aria-label={`Use ${label} in…`}
        title="Use in…"
        onClick={() => offerCarried({ carried, intent: 'use' })}
        className="on-picture absolute right-2 bottom-2 grid size-9 place-items-center rounded-full focus-visible:rounded-full"
      >
        <ImagePlus className="size-4.5" aria-hidden />
      </button>
    </li>
  );
}
