import { cn } from '#components/ui/cn';

/** Draws loudness (0 to 1) as bars in the colour of the text; bars before `part` (0 to 1) have been played. */
export function SoundWave({
  peaks,
  part = 1,
  className,
}: {
  peaks: readonly number[];
  part?: number;
  className: string;
}) {
  return (
    <svg
      viewBox={`0 0 ${peaks.length * 4} 40`}
      preserveAspectRatio="none"
      aria-hidden
      className={cn('w-full', className)}
    >
      {peaks.map((peak, index) => (
        <rect
          key={index}
          x={index * 4 + 0.8}
          y={20 - Math.max(1, peak * 19)}
          width="2.4"
          height={Math.max(2, peak * 38)}
          rx="1.2"
          fill="currentColor"
          opacity={(index + 0.5) / peaks.length <= part ? 1 : 0.38}
        />
      ))}
    </svg>
  );
}
