import { Emblem } from '#components/architectures/emblem';
import { architectureIdentity } from '#components/architectures/identity';

/** Placeholder of a result in progress: the emblem as a blurred seed that becomes larger and clearer. */
export function Seedling({ id, progress }: { id: string; progress: number }) {
  const { color } = architectureIdentity(id);
  const tint = (share: number) => `color-mix(in srgb, ${color} ${share}%, transparent)`;
  return (
    <div
      aria-hidden
      className="seedling"
      style={{
        background: `radial-gradient(circle at 50% 60%, ${tint(38 + progress * 30)}, ${tint(8)} 68%), var(--color-sunk)`,
      }}
    >
      <div
        className="transition-[scale,filter] duration-200 ease-out"
        style={{ scale: 0.7 + progress * 1.6, filter: `blur(${(14 - progress * 9).toFixed(1)}px)` }}
      >
        <Emblem id={id} className="size-28 animate-breathe" />
      </div>
    </div>
  );
}
