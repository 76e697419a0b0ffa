'use client';

import { useState } from 'react';
import { AudioLines, Film, Image } from 'lucide-react';
import { Picture, type MediaFile } from '#components/media/picture';
import { cn } from '#components/ui/cn';
import type { MediaKind } from '#lib/media-kind';

const ICONS = { image: Image, video: Film, audio: AudioLines };

/** Thumbnail of a file, or an icon of its media kind where no image can be shown. `className` sets its size. */
export function Thumb({
  file,
  media,
  alt = '',
  sizes,
  isFirst,
  onLost,
  className,
}: {
  file: MediaFile;
  media: MediaKind;
  alt?: string;
  /** Width on the page, as the `sizes` attribute. */
  sizes: string;
  isFirst?: boolean;
  onLost?: () => void;
  className?: string;
}) {
  const [lost, setLost] = useState('');
  const address = file.preview_url ?? file.url;
  const Icon = ICONS[media];
  const kind = (
    <span
      role={alt ? 'img' : undefined}
      aria-label={alt || undefined}
      className={cn('grid place-items-center bg-sunk text-faint', className)}
    >
      <Icon className="size-8 max-h-3/5 max-w-3/5" aria-hidden />
    </span>
  );
  if (lost === address || (media !== 'image' && !file.preview_url)) return kind;
  return (
    <Picture
      file={file}
      alt={alt}
      sizes={sizes}
      isFirst={isFirst}
      instead={kind}
      onLost={() => {
        setLost(address);
        onLost?.();
      }}
      className={cn('bg-sunk', className)}
    />
  );
}
