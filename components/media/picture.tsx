import type { ReactNode } from 'react';
import { cn } from '#components/ui/cn';
import type { ResultWire } from '#lib/contract/schemas';

/** A file of which a picture is shown, as far as it is known: a result, an upload, a picture of the cast. */
export interface MediaFile extends Partial<Pick<ResultWire, 'preview_url' | 'renditions' | 'width' | 'height'>> {
  url: string;
  bytes?: number | null | undefined;
}

/** Longest side of the `preview_url` of results from before there were renditions. */
const PREVIEW = 480;
/** A file that weighs no more may stand for itself. */
const LIGHT = 200_000;

interface Copy {
  url: string;
  width: number;
}

/** The copies of a picture from which a browser may choose, smallest first. Where there are smaller forms the whole file is for the viewer. */
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

/** Whether only the whole of a large file could be shown. */
const isHeavy = ({ url, bytes }: MediaFile, copies: readonly Copy[]): boolean =>
  copies[0]?.url === url && (bytes ?? 0) > LIGHT;

/** A picture in the copy that fits its place, which `className` gives it. */
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
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string;
  /** Among the first things that a reader sees: it is loaded before others. */
  isFirst?: boolean | undefined;
  /** Stands for a large file of which there is no smaller form (yet). */
  instead?: ReactNode;
  onLoad?: (() => void) | undefined;
  onLost?: (() => void) | undefined;
  className?: string | undefined;
}) {
  const copies = copiesOf(file);
  if (instead && isHeavy(file, copies)) return instead;
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- the copies are made once by our own pipeline
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
      onLoad={onLoad}
      onError={onLost}
      className={cn('object-cover', className)}
    />
  );
}
