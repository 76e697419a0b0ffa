import type { DataTag, QueryKey } from '@tanstack/react-query';

/** What a query knows before anybody asks: the server had it at hand. */
export type Answer = readonly [key: QueryKey, data: unknown];

export const answer = <T>({ queryKey }: { queryKey: DataTag<QueryKey, T, Error> }, data: NoInfer<T>): Answer => [
  queryKey,
  data,
];
