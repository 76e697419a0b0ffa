import { cn } from '#components/ui/cn';
import type { ResultWire } from '#lib/contract/schemas';

/** Longest side of the `preview_url` of results from before there were renditions. */
const PREVIEW = 480;

interface Copy {
  url: string;
  width: number;
}

/** The copies of a picture from which a browser may choose, smallest first. Where there are smaller forms the whole file is for the viewer. */
export function copiesOf({ url, preview_url, width, height, renditions = [] }: ResultWire): readonly Copy[] {
  const pictures = renditions.filter(({ content_type }) => content_type === 'image/webp');
  if (pictures.length > 0) return pictures;
  const small = Math.round(width * Math.min(1, PREVIEW / Math.max(width, height)));
  return preview_url && small < width
    ? [
        { url: preview_url, width: small },
        { url, width },
      ]
    : [{ url, width }];
}

/** A result that is a picture, in the copy that fits its place. It fills the box around it. */
export function Picture({
  result,
  alt,
  sizes,
  isFirst = false,
  onLoad,
  onGone,
  className,
}: {
  result: ResultWire;
  alt: string;
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string;
  /** Among the first things that a reader sees: it is loaded before others. */
  isFirst?: boolean | undefined;
  onLoad?: (() => void) | undefined;
  onGone?: (() => void) | undefined;
  className?: string | undefined;
}) {
  const copies = copiesOf(result);
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- the copies are made once by our own pipeline
    <img
      {...(copies.length > 1 && { srcSet: copies.map(({ url, width }) => `${url} ${width}w`).join(', '), sizes })}
      src={copies.at(-1)!.url}
      alt={alt}
      width={result.width}
      height={result.height}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      draggable={false}
      onLoad={onLoad}
      onError={onGone}
      className={cn('absolute inset-0 size-full object-cover', className)}
    />
  );
}
