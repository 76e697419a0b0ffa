import { drawBlossom, FRUIT_DRAWINGS } from '#components/architectures/drawings';
import { architectureIdentity } from '#components/architectures/identity';
import { cn } from '#components/ui/cn';

/** The emblem of an architecture. It goes beside the name, so screen readers skip it; size it with a class. */
export function Emblem({ id, className }: { id: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 48 48"
      aria-hidden
      className={cn('inline-block size-8 shrink-0', className)}
      dangerouslySetInnerHTML={{ __html: emblemMarkup(id) }}
    />
  );
}

/** The drawing alone, 48 × 48, for use inside a larger SVG. */
export function emblemMarkup(id: string): string {
  const identity = architectureIdentity(id);
  return 'fruit' in identity ? FRUIT_DRAWINGS[identity.fruit] : drawBlossom(identity.blossom);
}
