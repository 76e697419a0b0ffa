import { architectureIdentity } from '#components/architectures/identity';
import type { UsageWire } from '#lib/contract/gem-schemas';
import { sum } from '#lib/sum';

const DAY_MS = 86_400_000;
const WIDTH = 12;
const HEIGHT = 160;
/** Formats a day of the chart, such as "Nov 1". */
export const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Chart of gems by day, stacked by architecture in `order`. The table below it has the figures. */
export function UsageChart({
  usage,
  order,
  nameOf,
}: {
  usage: UsageWire;
  order: readonly string[];
  nameOf: (id: string) => string;
}) {
  const days = daysOf(usage);
  const top = niceTop(Math.max(...days.map(({ rows }) => sum(rows.map(({ gems }) => gems)))));
  const lines = [0, 0.5, 1];
  return (
    <figure className="grid gap-2">
      <figcaption className="sr-only">
        Gems by day from {usage.from} to {usage.to}, {usage.totals.gems} in all. The table below has the figures.
      </figcaption>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <div aria-hidden className="figures relative w-[5ch] text-right text-xs text-faint">
          {lines.map(part => (
            <span key={part} className="absolute right-0 -translate-y-1/2" style={{ top: `${(1 - part) * 100}%` }}>
              {compact.format(top * part)}
            </span>
          ))}
        </div>
        <svg
          aria-hidden
          viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-44 w-full overflow-visible sm:h-52"
        >
          {lines.map(part => (
            <line
              key={part}
              x1={0}
              x2={days.length * WIDTH}
              y1={HEIGHT * (1 - part)}
              y2={HEIGHT * (1 - part)}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {days.map(({ date, rows }, i) => (
            <g key={date}>
              <title>{columnTitle(date, rows, nameOf)}</title>
              <rect x={i * WIDTH} y={0} width={WIDTH} height={HEIGHT} className="fill-transparent hover:fill-ink/6" />
              {stacked(rows, order, top).map(({ architecture, y, height }) => (
                <rect
                  key={architecture}
                  x={i * WIDTH + WIDTH * 0.14}
                  width={WIDTH * 0.72}
                  y={y}
                  height={height}
                  fill={architectureIdentity(architecture).color}
                  className="pointer-events-none"
                />
              ))}
            </g>
          ))}
        </svg>
        <span />
        <div aria-hidden className="figures flex justify-between pt-1.5 text-xs text-faint">
          {[0, 1 / 3, 2 / 3, 1].map(part => (
            <span key={part}>{DAY.format(new Date(days[Math.round(part * (days.length - 1))]?.date ?? usage.to))}</span>
          ))}
        </div>
      </div>
    </figure>
  );
}

type Row = UsageWire['rows'][number];
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function daysOf({ from, to, rows }: UsageWire): { date: string; rows: Row[] }[] {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, i) => {
    const date = new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10);
    return { date, rows: byDate.get(date) ?? [] };
  });
}

/** Returns the segments of a day's column, from the bottom up. */
function stacked(rows: Row[], order: readonly string[], top: number) {
  let y = HEIGHT;
  return order.flatMap(architecture => {
    const gems = rows.find(row => row.architecture === architecture)?.gems ?? 0;
    if (gems <= 0) return [];
    const height = (gems / top) * HEIGHT;
    y -= height;
    return [{ architecture, y, height }];
  });
}

/** Rounds up to 1, 2, 4 or 5 times a power of ten, whose half is a round number, too. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 10)));
  return ([1, 2, 4, 5, 10].find(step => step * power >= most) ?? 10) * power;
}

function columnTitle(date: string, rows: Row[], nameOf: (id: string) => string): string {
  const parts = rows.map(({ architecture, gems }) => `${nameOf(architecture)} ${gems.toLocaleString('en')}`);
  return `${DAY.format(new Date(date))}: ${parts.join(', ') || 'nothing'}`;
}
