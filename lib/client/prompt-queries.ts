import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { studioApi } from '#lib/client/studio-api';

// Starting points for a prompt.

/** Distinct prompts of the account that contain these words, newest first. */
export const promptsQuery = (q: string) =>
  queryOptions({
    queryKey: ['prompts', q],
    queryFn: async ({ signal }) => (await studioApi.findPrompts({ query: { q: q || undefined }, signal })).data,
    placeholderData: keepPreviousData,
  });

/** Example results of the models, chosen by the operator. */
export const examplesQuery = queryOptions({
  queryKey: ['examples'],
  queryFn: async ({ signal }) => (await studioApi.listExamples({ signal })).data,
  staleTime: 5 * 60_000,
});
