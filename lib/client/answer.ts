import type { DataTag, QueryKey } from '@tanstack/react-query';

/** Initial data of a query, already read by the server. */
export type Answer = readonly [key: QueryKey, data: unknown];

export const answer = <T>({ queryKey }: { queryKey: DataTag<QueryKey, T, Error> }, data: NoInfer<T>): Answer => [
  queryKey,
  data,
];
