'use client';

import { useState } from 'react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { copiesOf } from '#components/media/picture';
import { placeOf, useZoomGestures, type ZoomState } from '#components/viewer/use-zoom';
import { cn } from '#components/ui/cn';
import { IconButton } from '#components/ui/icon-button';
import type { ResultWire } from '#lib/contract/schemas';

/** An image that can be zoomed and moved. Shows a preview while loading, and the original file at higher zoom. */
export function ZoomStage({
  result,
  alt,
  zoom,
  onLost,
  className,
}: {
  result: ResultWire;
  alt: string;
  zoom: ZoomState;
  onLost: () => void;
  className: string;
}) {
  const [isLoaded, setLoaded] = useState(false);
  const { ref, ...gestures } = useZoomGestures(zoom, result);
  const { url, preview_url, width, height } = result;

  const { scale } = zoom.zoom;
  const copies = copiesOf(result);
  const largest = copies.at(-1)!;
  const isLookedInto = scale > 1 && zoom.percent / 100 > largest.width / width;
  const look = 'absolute inset-0 size-full object-contain';
  return (
    <div
      {...gestures}
      ref={ref}
      role="application"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys + − 0 1 work here
      tabIndex={0}
      aria-label="Image. Plus and minus zoom, 0 fits it to the screen, 1 shows it at full size."
      className={cn(
        'relative overflow-hidden select-none focus-visible:-outline-offset-2',
        // one finger scrolls the page past a fitted image; two fingers zoom
        scale > 1 ? 'touch-none cursor-grab active:cursor-grabbing' : 'touch-pan-y cursor-zoom-in',
        className,
      )}
    >
      <div className="absolute inset-0" style={placeOf(zoom)}>
        {preview_url && !isLoaded && (
          // oxlint-disable-next-line nextjs/no-img-element -- media are served without an image optimiser
          <img src={preview_url} alt="" className={cn(look, 'blur-[2px]')} draggable={false} />
        )}
        {/* oxlint-disable-next-line nextjs/no-img-element -- the renditions are already made by the server */}
        <img
          {...(copies.length > 1 && {
            srcSet: copies.map(copy => `${copy.url} ${copy.width}w`).join(', '),
            sizes: '90vw',
          })}
          src={largest.url}
          alt={alt}
          width={width}
          height={height}
          draggable={false}
          // decoded before it replaces the preview, which would otherwise leave a blank moment
          decoding="sync"
          ref={picture => {
            // the image may have failed before hydration
            if (picture?.complete && !picture.naturalWidth) onLost();
          }}
          onLoad={() => setLoaded(true)}
          onError={onLost}
          className={cn(look, zoom.percent > 300 && '[image-rendering:pixelated]')}
        />
        {isLookedInto && (
          // oxlint-disable-next-line nextjs/no-img-element -- the original file of the result
          <img
            src={url}
            alt=""
            draggable={false}
            className={cn(look, zoom.percent > 300 && '[image-rendering:pixelated]')}
          />
        )}
      </div>
    </div>
  );
}

const OneToOne = ({ className }: { className: string }) => (
  <span className={cn('grid place-content-center text-xs font-medium', className)} aria-hidden>
    1:1
  </span>
);

/** Buttons for the zoom of a stage. */
export function ZoomButtons({ zoom, className }: { zoom: ZoomState; className: string }) {
  const { scale } = zoom.zoom;
  // `aria-disabled`, because a button that becomes `disabled` loses the focus
  const acts = [
    { label: 'Zoom out', Icon: ZoomOut, onClick: zoom.zoomOut, 'aria-disabled': scale <= zoom.limits.least },
    { label: 'Zoom in', Icon: ZoomIn, onClick: zoom.zoomIn, 'aria-disabled': scale >= zoom.limits.most },
    {
      label: 'Show it at its own size, 1:1',
      Icon: OneToOne,
      onClick: zoom.actual,
      'aria-disabled': Math.round(zoom.percent) === 100,
    },
    { label: 'Fit to screen', Icon: Maximize, onClick: zoom.reset, 'aria-disabled': scale === 1 },
  ];
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not a group of form fields
      role="group"
      aria-label="Zoom"
      className={cn('flex flex-wrap items-center justify-center rounded-full border bg-raised/92', className)}
    >
      <output className="figures w-14 pl-2 text-center max-[18rem]:hidden text-xs text-soft">
        {/* very large percentages, as of an image of a few pixels, are shown as a factor */}
        {zoom.percent < 1000 ? `${Math.round(zoom.percent)} %` : `${Math.round(zoom.percent / 100)} ×`}
      </output>
      {acts.map(({ label, Icon, ...rest }) => (
        <IconButton
          key={label}
          size="sm"
          className="rounded-full"
          label={label}
          icon={<Icon className="size-4" aria-hidden />}
          {...rest}
        />
      ))}
    </div>
  );
}
