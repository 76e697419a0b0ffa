'use client';

import { useEffect, useRef, useState } from 'react';
import { Pause, Play } from 'lucide-react';
import { clockOf } from '#components/generations/words';
import { cn } from '#components/ui/cn';
import type { ResultWire } from '#lib/contract/schemas';

/**
 * A clip in its place: a still, then the clip itself without sound. It plays while it is pointed at or has the focus, and with
 * `playsSeen` whenever it is in view; never by itself where motion is not wanted. Its button holds and starts it.
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
    // a browser may refuse to play; the still stays
    if (isPlaying) video.current?.play().catch(() => {});
    else video.current?.pause();
  }, [isPlaying, isReady]);

  // the short silent clip is made for tiles
  const clip = result.renditions?.find(({ content_type }) => content_type === 'video/mp4');
  const look = 'absolute inset-0 size-full object-cover';
  const Icon = isPlaying ? Pause : Play;
  return (
    <div ref={frame} className="absolute inset-0">
      {result.preview_url && (
        // oxlint-disable-next-line nextjs/no-img-element -- the still is made once, at the size of a tile
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
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what is generated has no captions
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
          // what can be done with it is at the foot of a large one, and at the head of a tile
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
  /** Among the first things that a reader sees: its still is loaded before others. */
  isFirst?: boolean | undefined;
  /** Of its button, in a grid where Tab reaches one tile alone. */
  tabIndex?: number | undefined;
  onLost?: (() => void) | undefined;
}

const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether most of an element is in view, and whether the pointer or the focus is in the tile around it. */
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
