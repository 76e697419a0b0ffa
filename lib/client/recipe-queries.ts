import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/client/queries';

export const recipesQuery = queryOptions({
  queryKey: ['recipes'],
  queryFn: async ({ signal }) => (await api.listRecipes({ signal })).recipes,
  staleTime: 5 * 60_000,
});

/** The price of a run with these inputs, given as JSON. */
export const runEstimateQuery = (recipe: string, inputs: string) =>
  queryOptions({
    queryKey: ['recipe-estimate', recipe, inputs],
    queryFn: ({ signal }) => api.estimateRun({ params: { recipe }, body: JSON.parse(inputs), signal }),
    staleTime: 30_000,
  });

const RUNS = 6;

/** The newest runs of a recipe, polled while one of them is running. */
export const runsQuery = (recipe: string) =>
  queryOptions({
    queryKey: ['runs', recipe],
    queryFn: async ({ signal }) => (await api.listRuns({ query: { recipe, limit: String(RUNS) }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'running') ? 1000 : false),
  });
