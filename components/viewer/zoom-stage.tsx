'use client';

import { useState } from 'react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { copiesOf } from '#components/media/picture';
import { placeOf, useZoomGestures, type ZoomState } from '#components/viewer/use-zoom';
import { cn } from '#components/ui/cn';
import { IconButton } from '#components/ui/icon-button';
import type { ResultWire } from '#lib/contract/schemas';

/** A picture that can be enlarged and moved. Its preview stands in until it is here; the whole file comes when it is looked into. */
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
        // a whole picture is scrolled past by one finger; two are ours
        scale > 1 ? 'touch-none cursor-grab active:cursor-grabbing' : 'touch-pan-y cursor-zoom-in',
        className,
      )}
    >
      <div className="absolute inset-0" style={placeOf(zoom)}>
        {preview_url && !isLoaded && (
          // oxlint-disable-next-line nextjs/no-img-element -- media are served as they are
          <img src={preview_url} alt="" className={cn(look, 'blur-[2px]')} draggable={false} />
        )}
        {/* oxlint-disable-next-line nextjs/no-img-element -- the copies are made once by our own pipeline */}
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
          decoding="async"
          ref={picture => {
            // it may have failed before the page came to life
            if (picture?.complete && !picture.naturalWidth) onLost();
          }}
          onLoad={() => setLoaded(true)}
          onError={onLost}
          className={cn(look, zoom.percent > 300 && '[image-rendering:pixelated]')}
        />
        {isLookedInto && (
          // oxlint-disable-next-line nextjs/no-img-element -- the result as it was made
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

/** The same by button. */
export function ZoomButtons({ zoom, className }: { zoom: ZoomState; className: string }) {
  const { scale } = zoom.zoom;
  // each may be pressed where it changes nothing: a button that is disabled takes the focus away
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
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no fields of a form
      role="group"
      aria-label="Zoom"
      className={cn('flex flex-wrap items-center justify-center rounded-full border bg-raised/92', className)}
    >
      <output className="figures w-14 pl-2 text-center max-[18rem]:hidden text-xs text-soft">
        {/* of a picture of a few pixels, percents are figures that nobody reads */}
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
