import type { QueryClient } from '@tanstack/react-query';
import { noteAccepted } from '#lib/client/live-requests';
import { api } from '#lib/client/queries';
import { runsQuery } from '#lib/client/recipe-queries';
import type { RunWire } from '#lib/contract/recipe-schemas';
import type { RequestWire } from '#lib/contract/schemas';

/** Number of polls for the first request of a run, which a worker submits, and the pause between them. */
const LOOKS = 10;
const APART_MS = 300;

interface Beginning {
  recipe: string;
  inputs: Record<string, unknown>;
  key: string;
  /** Maximum price in gems. */
  gems: number;
}

/**
 * Starts a run, and adds its first request to the lists of the page, like a request sent by a press. Returns that
 * request, or undefined if it waits for room or was refused, which the page of the recipe shows.
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
    // the run continues even if it cannot be read
  }
  return run.steps[0]?.requests[0];
}
