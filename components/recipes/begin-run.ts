import type { QueryClient } from '@tanstack/react-query';
import { noteAccepted } from '#lib/client/live-requests';
import { api } from '#lib/client/queries';
import { runsQuery } from '#lib/client/recipe-queries';
import type { RunWire } from '#lib/contract/recipe-schemas';
import type { RequestWire } from '#lib/contract/schemas';

/** How often it is looked whether a worker has submitted what a run begins with, and how long apart. */
const LOOKS = 10;
const APART_MS = 300;

interface Beginning {
  recipe: string;
  inputs: Record<string, unknown>;
  key: string;
  /** It costs no more than that. */
  gems: number;
}

/**
 * Starts a run, so that the lists of the page show what it begins with as they show what is pressed. Comes back with that; with nothing
 * where it waits for room or was refused, which the recipe's own page tells.
 */
export async function beginRun(queries: QueryClient, { recipe, inputs, key, gems }: Beginning) {
  const headers = { 'idempotency-key': key, 'max-gems': String(gems) };
  const run = await api.startRun({ params: { recipe }, body: inputs, headers });
  void queries.invalidateQueries({ queryKey: runsQuery(recipe).queryKey });
  const request = await firstOf(run);
  if (request) noteAccepted(queries, request);
  return request;
}

async function firstOf(started: RunWire): Promise<RequestWire | undefined> {
  let run = started;
  try {
    for (let looks = 0; run.status === 'running' && !run.steps[0]?.requests.length && looks < LOOKS; looks++) {
      await new Promise(done => setTimeout(done, APART_MS));
      run = await api.getRun({ params: { run_id: run.run_id } });
    }
  } catch {
    // it goes on all the same
  }
  return run.steps[0]?.requests[0];
}
