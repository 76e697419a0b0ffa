'use client';

import { useState } from 'react';
import { AudioPlayer } from '#components/generations/audio-player';
import { Seedling } from '#components/generations/seedling';
import { cn } from '#components/ui/cn';
import type { RequestWire } from '#lib/contract/schemas';

type Shown = Pick<RequestWire, 'architecture' | 'status' | 'prompt' | 'result' | 'type'> &
  Partial<Pick<RequestWire, 'progress'>>;

/** Width over height at which a generation is shown; null for sound, which has no shape. */
export function shapeOf({ type, result }: Pick<Shown, 'type' | 'result'>, expected: number | null = 1): number | null {
  if (type === 'audio') return null;
  return result ? result.width / result.height : (expected ?? 1);
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
    return <AudioPlayer url={result.url} seconds={result.duration ?? 0} id={architecture} className={className} />;
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
          preload="metadata"
          onLoadedData={() => setLoaded(true)}
          onError={() => setGone(true)}
          className={cn('absolute inset-0 size-full object-cover', isLoaded ? 'animate-develop' : 'opacity-0')}
        />
      )}
    </div>
  );
}
