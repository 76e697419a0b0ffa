import { cellsOf, type Axis, type Draft } from '#components/matrix/axes';
import { cheaperSetting } from '#components/studio/cheaper-setting';
import type { Affordable } from '#components/studio/short-of-gems';
import { priceOf } from '#lib/catalog/price';
import { sum } from '#lib/sum';

interface Sides {
  across: Axis;
  down: Axis;
}

/** Returns what an insufficient balance can still pay for: fewer places, or all of them with a cheaper setting. */
export function affordablePlaces({
  draft,
  sides,
  prices,
  balance,
  onSides,
  setField,
}: {
  draft: Draft;
  sides: Sides;
  /** Price of each place in gems, row by row. */
  prices: readonly number[];
  balance: number;
  onSides: (sides: Sides) => void;
  setField: (name: string, value: unknown) => void;
}): Affordable | undefined {
  const fewer = fewerPlaces(sides, prices, balance);
  if (fewer) return { name: `Make ${fewer.count}`, gems: fewer.gems, take: () => onSides(fewer.sides) };
  const { entry, config } = draft;
  const byRule = (changed = config) =>
    cellsOf({ ...draft, config: changed }, sides.across, sides.down)
      .flat()
      .map(cell => priceOf(cell.entry, cell.config));
  // attached media may add to the price by an amount that only the server knows
  if (String(byRule()) !== String(prices)) return undefined;
  const setting = cheaperSetting(entry, config, balance, changed => sum(byRule(changed)));
  return (
    setting && {
      name: `${setting.title} ${setting.token}`,
      gems: setting.gems,
      take: () => setField(setting.name, setting.token),
    }
  );
}

/** Returns the largest part of a matrix that a balance pays for, from its first place on: two or more, squarish. */
export function fewerPlaces({ across, down }: Sides, prices: readonly number[], balance: number) {
  const width = across.values.length;
  const parts = down.values.flatMap((_, lastRow) =>
    across.values.map((_, lastColumn) => {
      const kept = prices.filter((_, at) => at % width <= lastColumn && Math.floor(at / width) <= lastRow);
      return { columns: lastColumn + 1, rows: lastRow + 1, count: kept.length, gems: sum(kept) };
    }),
  );
  const [most] = parts
    .filter(({ count, gems }) => count > 1 && gems <= balance)
    .toSorted((a, b) => b.count - a.count || Math.abs(a.columns - a.rows) - Math.abs(b.columns - b.rows));
  if (!most) return undefined;
  const { columns, rows, count, gems } = most;
  const sides = {
    across: { ...across, values: across.values.slice(0, columns) },
    down: { ...down, values: down.values.slice(0, rows) },
  };
  return { sides, count, gems };
}
