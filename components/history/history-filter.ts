import type { HistoryFilter } from '#lib/client/history-queries';

/** The members of the address that narrow the gallery. */
export const FILTERS = [
  'q',
  'type',
  'architecture',
  'status',
  'mention',
  'favourite',
  'kept',
  'expiring',
  'collection',
  'tag',
] as const;

/** The filter that an address holds; the server reads it for the first page, the browser for every other. */
export function readFilter(get: (name: string) => string | null | undefined): HistoryFilter {
  const given = FILTERS.map(name => [name, get(name)?.trim().slice(0, 200)] as const).filter(([, value]) => value);
  return Object.fromEntries(given);
}

export const isFiltered = (filter: HistoryFilter): boolean => Object.keys(filter).length > 0;
