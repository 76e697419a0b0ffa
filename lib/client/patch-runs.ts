import type { QueryClient } from '@tanstack/react-query';
import type { RunWire } from '#lib/contract/recipe-schemas';
import type { RequestWire } from '#lib/contract/schemas';

const queryKey = ['runs'];

/** Replaces older states of requests with newer ones in the cached recipe runs. */
export function patchRuns(client: QueryClient, requests: readonly RequestWire[]): void {
  if (requests.length === 0) return;
  const newer = new Map(requests.map(request => [request.request_id, request]));
  const patch = (step: RunWire['steps'][number]) => ({
    ...step,
    requests: step.requests.map(old => newer.get(old.request_id) ?? old),
  });
  // a response in flight may hold older states, so its query is cancelled and fetched again
  const asked = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  void client.cancelQueries({ queryKey });
  client.setQueriesData<RunWire[]>({ queryKey }, runs => runs?.map(run => ({ ...run, steps: run.steps.map(patch) })));
  void client.invalidateQueries({ queryKey, predicate: query => asked.includes(query) });
}
