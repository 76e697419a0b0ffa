'use client';

import type { ReactNode } from 'react';
import { Ellipsis, Globe, ImagePlus, Images, Lock, Pencil, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { offerCarried } from '#components/carry/carried';
import type { CharacterAct } from '#components/characters/character-dialog';
import { carriedImage } from '#components/characters/carried-image';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import { IconButton } from '#components/ui/icon-button';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** Menu with the actions for a character. */
export function CharacterMenu({
  character,
  onAct,
  isBesideChange,
  className,
}: {
  character: CharacterWire;
  onAct: (act: CharacterAct) => void;
  /** Whether a button beside the menu changes the character. */
  isBesideChange?: boolean;
  className?: string;
}): ReactNode {
  const { name, handle, visibility, pictures } = character;
  const router = useRouter();
  const isPublic = visibility === 'public';
  return (
    <DropdownMenu
      align="end"
      trigger={
        <IconButton
          label={`More for ${name}`}
          icon={<Ellipsis className="size-5" aria-hidden />}
          className={className}
        />
      }
      items={[
        ...(isBesideChange
          ? []
          : [{ label: 'Change', icon: <Pencil aria-hidden />, onSelect: () => onAct({ kind: 'change', character }) }]),
        {
          label: `Everything made with @${handle}`,
          icon: <Images aria-hidden />,
          onSelect: () => router.push(`/history?mention=${handle}`),
        },
        {
          label: 'Use the image in…',
          icon: <ImagePlus aria-hidden />,
          onSelect: () => offerCarried({ carried: carriedImage(character, pictures[0]!), intent: 'use' }),
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
  );
}
