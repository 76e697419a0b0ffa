'use client';

import { useState } from 'react';
import { ClipPlayer } from '#components/cast/clip-player';
import type { MediaFile } from '#components/media/picture';
import { Dialog } from '#components/ui/dialog';
import { TextLink } from '#components/ui/text-link';
import type { MediaKind } from '#lib/media-kind';

/** Shows one file of a form: an image or a video as large as the viewport allows, or an audio player. */
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
  const [isLost, setLost] = useState(false);
  const onError = () => setLost(true);
  const look = 'mx-auto max-h-[calc(100dvh-9rem)] max-w-full rounded-md bg-sunk';
  return (
    <Dialog open shape="wide" title={title} onOpenChange={open => !open && onClose()}>
      {isLost && (
        <p className="py-12 text-center text-sm text-soft">
          It cannot be shown here.{' '}
          <TextLink href={url} target="_blank" rel="noreferrer">
            Open its address
          </TextLink>
        </p>
      )}
      {media === 'image' && !isLost && (
        // oxlint-disable-next-line nextjs/no-img-element -- shows the file exactly as it is sent
        <img
          src={url}
          alt={title}
          width={width}
          height={height}
          onError={onError}
          className={`${look} h-auto object-contain`}
        />
      )}
      {media === 'video' && !isLost && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- input files have no captions
        <video
          src={url}
          poster={preview_url}
          aria-label={title}
          controls
          loop
          playsInline
          onError={onError}
          className={look}
        />
      )}
      {media === 'audio' && <ClipPlayer url={url} label={title} className="w-full border bg-sunk" />}
    </Dialog>
  );
}
