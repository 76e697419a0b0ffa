import { drawBlossom } from '#components/architectures/draw-blossom';
import { architectureIdentity } from '#components/architectures/identity';
import { cn } from '#components/ui/cn';

/** Emblem of an architecture. It stands beside the name, so it is hidden from screen readers. A class sets its size. */
export const Emblem = ({ id, className }: { id: string; className?: string }) => (
  <svg viewBox="0 0 48 48" aria-hidden className={cn('inline-block size-8 shrink-0', className)}>
    <EmblemDrawing id={id} />
  </svg>
);

/** The drawing alone, 48 × 48 units, for use inside a larger SVG. */
export function EmblemDrawing({ id }: { id: string }) {
  const identity = architectureIdentity(id);
  if ('fruit' in identity) return <use href={`#fruit-${identity.fruit}`} />;
  return <g dangerouslySetInnerHTML={{ __html: drawBlossom(identity.blossom) }} />;
}
