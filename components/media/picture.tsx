import type { ReactNode } from 'react';
import { cn } from '#components/ui/cn';
import type { ResultWire } from '#lib/contract/schemas';

/** A file that is shown as an image, with what is known of it: a result, an upload, or an image of the cast. */
export interface MediaFile extends Partial<Pick<ResultWire, 'preview_url' | 'renditions' | 'width' | 'height'>> {
  url: string;
  bytes?: number | null | undefined;
}

/** Longest side of `preview_url` in pixels, for results that have no renditions. */
const PREVIEW = 480;
/** Maximum size in bytes of a file that may be shown without a smaller rendition. */
const LIGHT = 200_000;

interface Copy {
  url: string;
  width: number;
}

/** Returns the copies of an image for `srcset`, smallest first. Where renditions exist, the original is left out. */
export function copiesOf({ url, preview_url, width = 0, height = 0, renditions = [] }: MediaFile): readonly Copy[] {
  const pictures = renditions.filter(({ content_type }) => content_type === 'image/webp');
  if (pictures.length > 0) return pictures;
  if (!preview_url) return [{ url, width }];
  if (!width) return [{ url: preview_url, width: PREVIEW }];
  const small = Math.round(width * Math.min(1, PREVIEW / Math.max(width, height)));
  return small < width
    ? [
        { url: preview_url, width: small },
        { url, width },
      ]
    : [{ url, width }];
}

/** Whether the file is large and has no smaller copy. */
const isHeavy = ({ url, bytes }: MediaFile, copies: readonly Copy[]): boolean =>
  copies[0]?.url === url && (bytes ?? 0) > LIGHT;

/** An image in the copy that fits its size on the page, which `className` sets. */
export function Picture({
  file,
  alt,
  sizes,
  isFirst = false,
  instead,
  onLoad,
  onLost,
  className,
}: {
  file: MediaFile;
  alt: string;
  /** Width on the page, as the `sizes` attribute. */
  sizes: string;
  /** Whether the image is visible first, and so loaded with priority. */
  isFirst?: boolean | undefined;
  /** Shown instead of a large file that has no smaller copy (yet). */
  instead?: ReactNode;
  onLoad?: (() => void) | undefined;
  onLost?: (() => void) | undefined;
  className?: string | undefined;
}) {
  const copies = copiesOf(file);
  if (instead && isHeavy(file, copies)) return instead;
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- the renditions are already made by the server
    <img
      {...(copies.length > 1 && { srcSet: copies.map(({ url, width }) => `${url} ${width}w`).join(', '), sizes })}
      src={copies.at(-1)!.url}
      alt={alt}
      width={file.width}
      height={file.height}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding={isFirst ? 'sync' : 'async'}
      draggable={false}
      ref={picture => {
        // the image may have failed before hydration
        if (picture?.complete && !picture.naturalWidth) onLost?.();
      }}
      onLoad={onLoad}
      onError={onLost}
      className={cn('object-cover', className)}
    />
  );
}
