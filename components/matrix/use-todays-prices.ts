import type { NewSubmission } from '#components/generations/send-visit';
import { useCellPrices } from '#components/matrix/use-cell-prices';
import { isDearer, type MatrixPlace } from '#components/matrix/use-matrix-requests';
import { fitConfig } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** The places, and in them what is to be sent for a price that one agrees to by pressing: for what it costs now. */
export function useTodaysPrices(places: readonly MatrixPlace[], entries: readonly CatalogEntry[]): MatrixPlace[] {
  const cells = places.map(({ left, submission }) => {
    const toSend = left ?? (submission && isDearer(submission) ? submission : undefined);
    const entry = entries.find(({ id }) => id === toSend?.architecture);
    return toSend && entry && { entry, ...fitConfig(entry, toSend.body) };
  });
  const known = cells.filter(cell => cell !== undefined);
  const { prices } = useCellPrices(known);
  const priced = <T extends NewSubmission>(one: T | undefined, gems: number) => one && { ...one, gems };
  return places.map((place, index) => {
    const at = known.indexOf(cells[index]!);
    if (at < 0) return place;
    const gems = prices[at]!;
    return { ...place, left: priced(place.left, gems), submission: priced(place.submission, gems) };
  });
}
