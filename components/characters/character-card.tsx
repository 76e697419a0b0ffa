'use client';

import Link from 'next/link';
import { Images } from 'lucide-react';
import { dragSource } from '#components/carry/drag';
import { ClipPlayer } from '#components/cast/clip-player';
import { HandleButton } from '#components/cast/handle-button';
import { carriedImage } from '#components/characters/carried-image';
import type { CharacterAct } from '#components/characters/character-dialog';
import { CharacterMenu } from '#components/characters/character-menu';
import { Thumb } from '#components/media/thumb';
import { Badge } from '#components/ui/badge';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** `sizes` of a card in the grid. */
const CARD = '(min-width: 40rem) 17rem, 46vw';

/** A character as a card: portrait, voice and handle. */
export function CharacterCard({ character, onAct }: { character: CharacterWire; onAct: (act: CharacterAct) => void }) {
  const { id, name, handle, description, pictures, voice_url, visibility } = character;
  const portrait = pictures[0]!;
  return (
    <li className="grid content-start gap-3" id={handle} {...dragSource(carriedImage(character, portrait))}>
      <div className="relative overflow-hidden rounded-lg bg-sunk">
        <Link href={`/characters/${id}`} draggable={false} className="block focus-visible:-outline-offset-2">
          <Thumb file={portrait} media="image" alt={`Portrait of ${name}`} sizes={CARD} className="aspect-4/5 w-full" />
        </Link>
        {visibility === 'public' && (
          <Badge tone="good" dot className="absolute top-3 left-3 bg-raised">
            Public
          </Badge>
        )}
        {pictures.length > 1 && (
          <Badge className="absolute top-3 right-3 bg-raised">
            <Images className="size-3.5" aria-hidden /> {pictures.length}
            <span className="sr-only">images</span>
          </Badge>
        )}
        {voice_url && (
          <ClipPlayer
            url={voice_url}
            label={`the voice of ${name}`}
            className="absolute inset-x-2.5 bottom-2.5 shadow-float"
          />
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
        <div className="grid min-w-0 grid-cols-1 justify-items-start gap-0.5">
          <h2 className="font-title line-clamp-2 text-title wrap-anywhere">
            <Link href={`/characters/${id}`} tabIndex={-1} draggable={false}>
              {name}
            </Link>
          </h2>
          <HandleButton handle={handle} />
        </div>
        <CharacterMenu character={character} onAct={onAct} className="-mr-2" />
      </div>
      {description && <p className="line-clamp-3 text-sm text-soft">{description}</p>}
    </li>
  );
}
