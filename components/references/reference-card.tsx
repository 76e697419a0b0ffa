'use client';

import { Ellipsis, ImagePlus, Images, Pencil, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { offerCarried, type Carried } from '#components/carry/carried';
import { dragSource } from '#components/carry/drag';
import { ClipPlayer } from '#components/cast/clip-player';
import { HandleButton } from '#components/cast/handle-button';
import { Thumb } from '#components/media/thumb';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import { IconButton } from '#components/ui/icon-button';
import type { ReferenceWire } from '#lib/contract/cast-schemas';

/** `sizes` of a card in the grid. */
const CARD = '(min-width: 34rem) 13rem, 46vw';

export type ReferenceAct = { kind: 'change' | 'delete'; reference: ReferenceWire };

export function ReferenceCard({ reference, onAct }: { reference: ReferenceWire; onAct: (act: ReferenceAct) => void }) {
  const { name, handle, description, picture, audio_url } = reference;
  const router = useRouter();
  const carried: Carried | null = picture && { media: 'image', url: picture.url, name, preview: picture.preview_url };
  return (
    <li className="grid content-start gap-2.5" id={handle} {...dragSource(carried)}>
      {picture && (
        <Thumb file={picture} media="image" alt={name} sizes={CARD} className="aspect-square w-full rounded-lg" />
      )}
      {audio_url && <ClipPlayer url={audio_url} label={name} className="border bg-sunk" />}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
        <div className="grid min-w-0 grid-cols-1 justify-items-start gap-0.5">
          <h3 dir="auto" className="max-w-full truncate font-medium">
            {name}
          </h3>
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
            ...(carried
              ? [
                  {
                    label: 'Use the image in…',
                    icon: <ImagePlus aria-hidden />,
                    onSelect: () => offerCarried({ carried, intent: 'use' }),
                  },
                ]
              : []),
            { label: 'Change', icon: <Pencil aria-hidden />, onSelect: () => onAct({ kind: 'change', reference }) },
            { kind: 'line' },
            {
              label: 'Delete',
              icon: <Trash2 aria-hidden />,
              danger: true,
              onSelect: () => onAct({ kind: 'delete', reference }),
            },
          ]}
        />
      </div>
      {description && <p className="line-clamp-2 text-sm text-soft">{description}</p>}
    </li>
  );
}
