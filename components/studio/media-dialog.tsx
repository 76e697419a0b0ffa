'use client';

import { ClipPlayer } from '#components/cast/clip-player';
import type { MediaFile } from '#components/media/picture';
import { Dialog } from '#components/ui/dialog';
import type { MediaKind } from '#lib/media-kind';

/** A file of a form by itself: a picture or a film as large as the window bears, a sound to be heard. */
export function MediaDialog({
  file: { url, width, height, preview_url },
  media,
  title,
  onClose,
}: {
  file: MediaFile;
  media: MediaKind;
  title: string;
  onClose: () => void;
}) {
  const look = 'mx-auto max-h-[calc(100dvh-9rem)] max-w-full rounded-md bg-sunk';
  return (
    <Dialog open shape="wide" title={title} onOpenChange={open => !open && onClose()}>
      {media === 'image' && (
        // oxlint-disable-next-line nextjs/no-img-element -- the file as it is sent
        <img src={url} alt={title} width={width} height={height} className={`${look} h-auto object-contain`} />
      )}
      {media === 'video' && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what is sent along has no captions
        <video src={url} poster={preview_url} aria-label={title} controls loop playsInline className={look} />
      )}
      {media === 'audio' && <ClipPlayer url={url} label={title} className="w-full border bg-sunk" />}
    </Dialog>
  );
}
