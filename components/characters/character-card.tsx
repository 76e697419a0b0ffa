'use client';

import { Ellipsis, Globe, ImagePlus, Images, Lock, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { offerCarried, type Carried } from '#components/carry/carried';
import { dragSource } from '#components/carry/drag';
import { ClipPlayer } from '#components/cast/clip-player';
import { HandleButton } from '#components/cast/handle-button';
import type { CharacterAct } from '#components/characters/characters-page';
import { Badge } from '#components/ui/badge';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import { IconButton } from '#components/ui/icon-button';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** A character as its portrait, with its voice on it. */
export function CharacterCard({ character, onAct }: { character: CharacterWire; onAct: (act: CharacterAct) => void }) {
  const { name, handle, description, image_url, voice_url, visibility } = character;
  const router = useRouter();
  const isPublic = visibility === 'public';
  const carried: Carried = { media: 'image', url: image_url, name, preview: image_url };
  return (
    <li className="grid content-start gap-3" id={handle} {...dragSource(carried)}>
      <div className="relative overflow-hidden rounded-lg bg-sunk">
        {/* oxlint-disable-next-line nextjs/no-img-element -- media come as they are */}
        <img
          src={image_url}
          alt={`Portrait of ${name}`}
          loading="lazy"
          draggable={false}
          className="aspect-4/5 w-full object-cover"
        />
        {isPublic && (
          <Badge tone="good" dot className="absolute top-3 left-3 bg-raised">
            Public
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
        <div className="grid min-w-0 justify-items-start gap-0.5">
          <h2 className="font-title line-clamp-2 text-title">{name}</h2>
          <HandleButton handle={handle} />
        </div>
        <DropdownMenu
          trigger={
            <IconButton
              label={`More for ${name}`}
              icon={<Ellipsis className="size-5" aria-hidden />}
              className="-mr-2"
            />
          }
          items={[
            {
              label: `Everything made with @${handle}`,
              icon: <Images aria-hidden />,
              onSelect: () => router.push(`/history?mention=${handle}`),
            },
            {
              label: 'Use the picture in…',
              icon: <ImagePlus aria-hidden />,
              onSelect: () => offerCarried({ carried, intent: 'use' }),
            },
            {
              label: isPublic ? 'Make private' : 'Publish',
              icon: isPublic ? <Lock aria-hidden /> : <Globe aria-hidden />,
              onSelect: () => onAct({ kind: 'publish', character }),
            },
            { kind: 'line' },
            {
              label: 'Delete',
              icon: <Trash2 aria-hidden />,
              danger: true,
              onSelect: () => onAct({ kind: 'delete', character }),
            },
          ]}
        />
      </div>
      {description && <p className="line-clamp-3 text-sm text-soft">{description}</p>}
    </li>
  );
}
