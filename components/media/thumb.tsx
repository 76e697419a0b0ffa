import { AudioLines, Film, Image } from 'lucide-react';
import { Picture, type MediaFile } from '#components/media/picture';
import { cn } from '#components/ui/cn';
import type { MediaKind } from '#lib/media-kind';

const ICONS = { image: Image, video: Film, audio: AudioLines };

/** A file as a small picture; where there is none, as what kind of file it is. `className` gives it its place. */
export function Thumb({
  file,
  media,
  alt = '',
  sizes,
  isFirst,
  className,
}: {
  file: MediaFile;
  media: MediaKind;
  alt?: string;
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string;
  isFirst?: boolean;
  className?: string;
}) {
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
  if (media !== 'image' && !file.preview_url) return kind;
  return (
    <Picture
      file={file}
      alt={alt}
      sizes={sizes}
      isFirst={isFirst}
      instead={kind}
      className={cn('bg-sunk', className)}
    />
  );
}
