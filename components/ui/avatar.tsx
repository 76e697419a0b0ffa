import { cn } from '#components/ui/cn';

const SIZES = { md: 'size-9 text-sm', lg: 'size-14 text-lg' };

/** Shows the initials of `name`. */
export function Avatar({ name, size = 'md' }: { name: string; size?: keyof typeof SIZES }) {
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
      )}
    >
      <span aria-hidden>{initials}</span>
      <span className="sr-only">{name}</span>
    </span>
  );
}
