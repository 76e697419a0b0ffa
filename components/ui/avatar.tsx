import { cn } from '#components/ui/cn';

const SIZES = { sm: 'size-7 text-xs', md: 'size-9 text-sm', lg: 'size-14 text-lg' };

/** A portrait, or the initials of `name` where there is none. */
export function Avatar({
  name,
  src,
  size = 'md',
  className,
}: {
  name: string;
  src?: string | null;
  size?: keyof typeof SIZES;
  className?: string;
}) {
  const initials = name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => [...word][0]?.toUpperCase())
    .join('');
  return (
    <span
      className={cn(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-full bg-accent/18 font-medium text-accent-ink',
        SIZES[size],
        className,
      )}
    >
      {src ? (
        // oxlint-disable-next-line nextjs/no-img-element -- media come at the size they are shown
        <img src={src} alt={name} className="size-full object-cover" />
      ) : (
        <>
          <span aria-hidden>{initials}</span>
          <span className="sr-only">{name}</span>
        </>
      )}
    </span>
  );
}
