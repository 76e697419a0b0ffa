import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { studioApi } from '#lib/client/studio-api';

// What a prompt begins with.

/** Prompts of the account that have these words, each once, newest first. */
export const promptsQuery = (q: string) =>
  queryOptions({
    queryKey: ['prompts', q],
    queryFn: async ({ signal }) => (await studioApi.findPrompts({ query: { q: q || undefined }, signal })).data,
    placeholderData: keepPreviousData,
  });

/** What models make, as the operator shows it. */
export const examplesQuery = queryOptions({
  queryKey: ['examples'],
  queryFn: async ({ signal }) => (await studioApi.listExamples({ signal })).data,
  staleTime: 5 * 60_000,
});
