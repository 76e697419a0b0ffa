import { useCellPrices } from '#components/matrix/use-cell-prices';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { fitConfig } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Returns the places with current prices for what is left, to which the user agrees by pressing the button. */
export function useTodaysPrices(places: readonly MatrixPlace[], entries: readonly CatalogEntry[]): MatrixPlace[] {
  const cells = places.map(({ left }) => {
    const entry = entries.find(({ id }) => id === left?.architecture);
    return left && entry && { entry, ...fitConfig(entry, left.body) };
  });
  const known = cells.filter(cell => cell !== undefined);
  const { prices } = useCellPrices(known);
  return places.map((place, index) => {
    const gems = prices[known.indexOf(cells[index]!)];
    const { left } = place;
    if (!left || gems === undefined) return place;
    return { ...place, left: { ...left, gems }, isDearer: gems > left.gems };
  });
}
