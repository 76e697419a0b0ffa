'use client';

import { useEffect, useRef, useState } from 'react';
import { Pause, Play } from 'lucide-react';
import { clockOf } from '#components/generations/words';
import { cn } from '#components/ui/cn';
import type { ResultWire } from '#lib/contract/schemas';

/**
 * A video tile: a still, then the video itself without sound. It plays while it is hovered or focused, and with
 * `playsSeen` while it is in view, but not by itself if the user prefers reduced motion. Its button pauses or plays it.
 */
export function Video({ result, alt, playsSeen = false, isFirst = false, tabIndex, onLost }: VideoProps) {
  const { frame, isSeen, isPointed } = useAttention();
  const video = useRef<HTMLVideoElement>(null);
  const [isReady, setReady] = useState(false);
  const [isHeld, setHeld] = useState<boolean>();
  const isLookedAt = isPointed || (playsSeen && isSeen);
  const isPlaying = isHeld === undefined ? isLookedAt && mayMove() : !isHeld && (isSeen || isPointed);
  const isWanted = isLookedAt || isHeld !== undefined;

  useEffect(() => {
    if (!isReady) return;
    // a browser may refuse to play; then the still stays
    if (isPlaying) video.current?.play().catch(() => {});
    else video.current?.pause();
  }, [isPlaying, isReady]);

  // the short silent rendition is made for tiles
  const clip = result.renditions?.find(({ content_type }) => content_type === 'video/mp4');
  const look = 'absolute inset-0 size-full object-cover';
  const Icon = isPlaying ? Pause : Play;
  return (
    <div ref={frame} className="absolute inset-0">
      {result.preview_url && (
        // oxlint-disable-next-line nextjs/no-img-element -- the preview is already stored at the size of a tile
        <img
          src={result.preview_url}
          alt={alt}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding={isFirst ? 'sync' : 'async'}
          draggable={false}
          className={look}
          onError={onLost}
        />
      )}
      {(isWanted || !result.preview_url) && (
        <video
          ref={video}
          src={playsSeen || !clip ? result.url : clip.url}
          muted
          loop
          playsInline
          aria-hidden={result.preview_url ? true : undefined}
          aria-label={alt}
          tabIndex={-1}
          preload="metadata"
          onLoadedData={() => setReady(true)}
          onError={onLost}
          className={cn(look, !isReady && 'opacity-0')}
        />
      )}
      <button
        type="button"
        tabIndex={tabIndex}
        onClick={event => {
          event.preventDefault();
          event.stopPropagation();
          setHeld(isPlaying);
        }}
        className={cn(
          'figures on-picture finger absolute z-10 flex min-h-7 items-center gap-1 rounded-full px-2.5 text-xs focus-visible:rounded-full',
          // its acts are at the foot of a large video, and at the head of a tile
          playsSeen ? 'top-2 left-2' : 'right-2 bottom-2 @max-[9.5rem]:bottom-10',
        )}
      >
        <Icon className="size-3 fill-current" aria-hidden />
        <span className="sr-only">{isPlaying ? 'Pause' : 'Play'}</span>
        {result.duration !== undefined && clockOf(result.duration)}
      </button>
    </div>
  );
}

interface VideoProps {
  result: Pick<ResultWire, 'url' | 'preview_url' | 'renditions' | 'duration'>;
  alt: string;
  playsSeen?: boolean | undefined;
  /** Whether it is among the first things in view: its still is loaded before others. */
  isFirst?: boolean | undefined;
  /** `tabIndex` of its button, for grids in which Tab reaches only one tile. */
  tabIndex?: number | undefined;
  onLost?: (() => void) | undefined;
}

const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Tracks whether most of an element is in view, and whether the tile around it is hovered or focused. */
function useAttention() {
  const frame = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [isPointed, setPointed] = useState(false);
  useEffect(() => {
    const element = frame.current;
    const tile = element?.closest<HTMLElement>('[data-media]');
    if (!element || !tile) return;
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false), { threshold: 0.6 });
    observer.observe(element);
    const controller = new AbortController();
    const on = (type: keyof HTMLElementEventMap, isNow: boolean) =>
      tile.addEventListener(type, () => setPointed(isNow), { signal: controller.signal });
    on('pointerenter', true);
    on('pointerleave', false);
    on('focusin', true);
    on('focusout', false);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, []);
  return { frame, isSeen, isPointed };
}
