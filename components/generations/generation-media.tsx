'use client';

import { lazy, Suspense, useState } from 'react';
import { Seedling } from '#components/generations/seedling';
import { cn } from '#components/ui/cn';
import type { RequestWire } from '#lib/contract/schemas';

const AudioPlayer = lazy(() =>
  import('#components/generations/audio-player').then(module => ({ default: module.AudioPlayer })),
);

type Shown = Pick<RequestWire, 'architecture' | 'status' | 'prompt' | 'result' | 'type'> &
  Partial<Pick<RequestWire, 'progress' | 'expected'>>;

/** Width over height at which a generation is shown; null for sound, which has no shape. */
export function shapeOf(
  { type, result, expected }: Pick<Shown, 'type' | 'result' | 'expected'>,
  guess: number | null = 1,
): number | null {
  if (type === 'audio') return null;
  const size = result ?? expected;
  return size?.height ? size.width / size.height : (guess ?? 1);
}

/**
 * What a generation looks like: a seed that grows with its progress, then the picture, clip or sound. The place is kept at
 * its final size from the start. `aspect` is the shape to expect while there is no result.
 */
export function GenerationMedia({
  request,
  aspect = 1,
  className,
}: {
  request: Shown;
  aspect?: number | null;
  className?: string;
}) {
  const { type, result, prompt, architecture, progress } = request;
  const [isLoaded, setLoaded] = useState(false);
  const [isGone, setGone] = useState(false);
  const shape = shapeOf(request, aspect);
  if (type === 'audio' && result && !isGone) {
    return (
      <Suspense fallback={<div className={cn('h-29 rounded-md bg-sunk', className)} />}>
        <AudioPlayer
          url={result.url}
          peaks={result.peaks}
          seconds={result.duration ?? 0}
          id={architecture}
          className={className}
        />
      </Suspense>
    );
  }
  return (
    <div
      className={cn('relative overflow-hidden rounded-md bg-sunk', className)}
      style={{ aspectRatio: shape ?? 5 / 2 }}
    >
      {!isLoaded && !isGone && <Seedling id={architecture} progress={result ? 1 : (progress ?? 0)} />}
      {isGone && <p className="absolute inset-0 grid place-items-center text-sm text-faint">No longer kept</p>}
      {result && !isGone && type === 'image' && (
        // oxlint-disable-next-line nextjs/no-img-element -- the result is shown as it was made
        <img
          src={result.url}
          {...previewOf(result)}
          alt={prompt}
          width={result.width}
          height={result.height}
          decoding="async"
          onLoad={() => setLoaded(true)}
          onError={() => setGone(true)}
          className={cn('absolute inset-0 size-full object-cover', isLoaded ? 'animate-develop' : 'opacity-0')}
        />
      )}
      {result && !isGone && type === 'video' && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what is generated has no captions
        <video
          src={result.url}
          aria-label={prompt}
          controls
          loop
          playsInline
          poster={result.preview_url}
          preload={result.preview_url ? 'none' : 'metadata'}
          onLoadedData={() => setLoaded(true)}
          onError={() => setGone(true)}
          className={cn(
            'absolute inset-0 size-full object-cover',
            isLoaded || result.preview_url ? 'animate-develop' : 'opacity-0',
          )}
        />
      )}
    </div>
  );
}

const PREVIEW = 480;

/** Where it is shown small, the small copy is enough; the browser chooses. The size is given on the lean side: a card shows no pixels that the copy lacks. */
function previewOf({ preview_url, url, width, height }: NonNullable<Shown['result']>) {
  if (!preview_url || Math.max(width, height) <= PREVIEW) return {};
  const small = Math.round(PREVIEW * Math.min(1, width / height));
  return { srcSet: `${preview_url} ${small}w, ${url} ${width}w`, sizes: '(width < 40rem) 90vw, 22rem' };
}
