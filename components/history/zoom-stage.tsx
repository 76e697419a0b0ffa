'use client';

import { useState } from 'react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useZoomGestures, type ZoomState } from '#components/history/use-zoom';
import { cn } from '#components/ui/cn';
import { IconButton } from '#components/ui/icon-button';

/** A picture that can be enlarged and moved. Its preview stands in until it is here. */
export function ZoomStage({
  src,
  preview,
  alt,
  width,
  height,
  zoom,
  onGone,
  className,
}: {
  src: string;
  preview: string | undefined;
  alt: string;
  width: number;
  height: number;
  zoom: ZoomState;
  onGone: () => void;
  className?: string;
}) {
  const [isLoaded, setLoaded] = useState(false);
  const gestures = useZoomGestures(zoom);
  const { scale, x, y } = zoom.zoom;
  const picture = 'absolute inset-0 size-full object-contain';
  return (
    <div
      {...gestures}
      role="application"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys + − 0 work here
      tabIndex={0}
      aria-label="Picture. Plus and minus zoom, 0 shows it whole."
      className={cn(
        'relative touch-none overflow-hidden select-none focus-visible:-outline-offset-2',
        scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
        className,
      )}
    >
      <div className="absolute inset-0" style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}>
        {preview && !isLoaded && (
          // oxlint-disable-next-line nextjs/no-img-element -- media are served as they are
          <img src={preview} alt="" className={cn(picture, 'blur-[2px]')} draggable={false} />
        )}
        {/* oxlint-disable-next-line nextjs/no-img-element -- the result is shown as it was made */}
        <img
          src={src}
          alt={alt}
          width={width}
          height={height}
          draggable={false}
          decoding="async"
          onLoad={() => setLoaded(true)}
          onError={onGone}
          className={cn(picture, scale > 3 && '[image-rendering:pixelated]')}
        />
      </div>
    </div>
  );
}

/** The same by button. */
export function ZoomButtons({
  zoom: { zoom, zoomIn, zoomOut, reset },
  className,
}: {
  zoom: ZoomState;
  className?: string;
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no fields of a form
    <div role="group" aria-label="Zoom" className={cn('flex items-center rounded-full border bg-raised/92', className)}>
      <IconButton
        size="sm"
        className="rounded-full"
        label="Zoom out"
        disabled={zoom.scale === 1}
        icon={<ZoomOut className="size-4" aria-hidden />}
        onClick={zoomOut}
      />
      <span className="figures w-12 text-center text-xs text-soft">{Math.round(zoom.scale * 100)} %</span>
      <IconButton
        size="sm"
        className="rounded-full"
        label="Zoom in"
        icon={<ZoomIn className="size-4" aria-hidden />}
        onClick={zoomIn}
      />
      <IconButton
        size="sm"
        className="rounded-full"
        label="Show it whole"
        disabled={zoom.scale === 1}
        icon={<Maximize className="size-4" aria-hidden />}
        onClick={reset}
      />
    </div>
  );
}
