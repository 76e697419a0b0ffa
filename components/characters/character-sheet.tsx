'use client';

import { ImagePlus, Plus } from 'lucide-react';
import { offerCarried } from '#components/carry/carried';
import { dragSource } from '#components/carry/drag';
import { carriedImage } from '#components/characters/carried-image';
import { Thumb } from '#components/media/thumb';
import { cn } from '#components/ui/cn';
import type { CharacterWire, PictureWire } from '#lib/contract/cast-schemas';
import { MORE_IMAGES } from '#lib/contract/cast-limits';

/** `sizes` of the portrait, and of the other images. */
const LARGE = '(min-width: 64rem) 30vw, (min-width: 40rem) 45vw, 92vw';
const SMALL = '(min-width: 64rem) 15vw, (min-width: 40rem) 22vw, 45vw';

/** Images of a character, with the portrait large. Each can be used elsewhere. */
export function CharacterSheet({ character, onAdd }: { character: CharacterWire; onAdd: () => void }) {
  const { name, pictures } = character;
  return (
    <ul aria-label={`Images of ${name}`} className="grid auto-rows-fr grid-cols-2 content-start gap-3 sm:grid-cols-4">
      {pictures.map((picture, index) => (
        <OnSheet key={picture.url} character={character} picture={picture} number={index + 1} />
      ))}
      {pictures.length <= MORE_IMAGES && (
        <li className="grid aspect-4/5">
          <button
            type="button"
            onClick={onAdd}
            className="grid content-center justify-items-center gap-2 rounded-lg border border-dashed border-edge/70 px-4 text-center text-sm text-soft transition-colors hover:border-ink hover:text-ink"
          >
            <Plus className="size-5 text-faint" aria-hidden />
            Add images
          </button>
        </li>
      )}
    </ul>
  );
}

function OnSheet({ character, picture, number }: { character: CharacterWire; picture: PictureWire; number: number }) {
  const label = number === 1 ? `Portrait of ${character.name}` : `Image ${number} of ${character.name}`;
  const carried = carriedImage(character, picture);
  return (
    <li
      className={cn(
        'relative overflow-hidden rounded-lg bg-sunk',
        number === 1 ? 'col-span-2 row-span-2' : 'aspect-4/5',
      )}
      {...dragSource(carried)}
    >
      <Thumb
        file={picture}
        media="image"
        alt={label}
        sizes={number === 1 ? LARGE : SMALL}
        isFirst={number === 1}
        className="absolute inset-0 size-full"
      />
      <button
        type="button"
        aria-label={`Use ${label} in…`}
        title="Use in…"
        onClick={() => offerCarried({ carried, intent: 'use' })}
        className="on-picture absolute right-2 bottom-2 grid size-9 place-items-center rounded-full focus-visible:rounded-full pointer-coarse:size-11"
      >
        <ImagePlus className="size-4.5" aria-hidden />
      </button>
    </li>
  );
}
