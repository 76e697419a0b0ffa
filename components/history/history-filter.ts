import type { HistoryFilter } from '#lib/client/history-queries';

/** Query parameters of the address that filter the gallery. */
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

/** Returns the filter in an address. The server reads it for the first page, the browser for all others. */
export function readFilter(get: (name: string) => string | null | undefined): HistoryFilter {
  const given = FILTERS.map(name => [name, get(name)?.trim().slice(0, 200)] as const).filter(([, value]) => value);
  return Object.fromEntries(given);
}

export const isFiltered = (filter: HistoryFilter): boolean => Object.keys(filter).length > 0;
