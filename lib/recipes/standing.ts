import { namesOf } from '#lib/catalog/render-template';
import type { RunPart, StoredStep } from '#lib/db/schema';
import { hasResult } from '#lib/generations/has-result';
import type { Generation } from '#lib/life/generation';
import { isLive, type RunStatus } from '#lib/status';
import type { Run } from '#lib/recipes/runs';
import { sum } from '#lib/sum';

// the state of a run, derived from its row and its requests without queries

/** Last attempt at each request of each step; null where none was submitted. */
export type Made = (Generation | null)[][];

export function lastTries({ prices }: Pick<Run, 'prices'>, requests: readonly Generation[]): Made {
  const made: Made = prices.map(items => items.map(() => null));
  for (const request of requests) {
    const { step, item, attempt } = request.runPart!;
    const known = made[step]?.[item];
    if (made[step] && (!known || known.runPart!.attempt < attempt)) made[step][item] = request;
  }
  return made;
}

/** Returns completed requests whose results are lost but needed by missing ones: a retry must make them again. */
function lostOf(steps: readonly StoredStep[], made: Made): ReadonlySet<Generation> {
  const lost = new Set<Generation>();
  const used = new Set<string>();
  for (const [at, { id, each, body }] of [...steps.entries()].toReversed()) {
    const items = made[at]!;
    if (used.has(id))
      for (const request of items) if (request?.status === 'completed' && !hasResult(request)) lost.add(request);
    // a live request already has its inputs
    const isMissing = items.some(request => !request || isStopped(request) || lost.has(request));
    if (isMissing) for (const name of namesOf([each, ...Object.values(body)].flat())) used.add(name);
  }
  return lost;
}

const isStopped = ({ status }: Generation): boolean => !isLive(status) && status !== 'completed';

/**
 * Returns for each request whether it is missing: neither completed nor live, or lost and needed by a missing one. A
 * live request of a cancelled run counts as missing: it was submitted during the cancellation and will be refunded.
 */
export function missingOf({ steps, status }: Pick<Run, 'steps' | 'status'>, made: Made): boolean[][] {
  const lost = lostOf(steps, made);
  const isThere = (request: Generation) =>
    request.status === 'completed' ? !lost.has(request) : isLive(request.status) && status !== 'cancelled';
  return made.map(items => items.map(request => !request || !isThere(request)));
}

/** Returns the price of all missing requests, which is what a retry costs. Live requests are already paid. */
export function priceOfMissing(run: Pick<Run, 'prices' | 'steps' | 'status'>, made: Made): number {
  const missing = missingOf(run, made);
  return sum(run.prices.flatMap((items, step) => items.filter((_, item) => missing[step]![item])));
}

/** What the first unfinished step must submit, or how the run ends; null while the step waits for live requests. */
type Next = { submit: RunPart[] } | { end: Exclude<RunStatus, 'running'> } | null;

export function nextOf({ attempt, steps, updatedAt }: Pick<Run, 'attempt' | 'steps' | 'updatedAt'>, made: Made): Next {
  const lost = lostOf(steps, made);
  // a request that was live when the run was retried, and was cancelled since, is not submitted again
  const isCancelledSince = ({ status, finishedAt }: Generation) => status === 'cancelled' && finishedAt! > updatedAt;
  const isOpen = (request: Generation | null) =>
    request === null ||
    ((isStopped(request) || lost.has(request)) && request.runPart!.attempt < attempt && !isCancelledSince(request));
  const step = made.findIndex(items => items.some(request => isOpen(request) || request?.status !== 'completed'));
  if (step < 0) return { end: 'completed' };
  const items = made[step]!;
  const submit = items.flatMap((request, item) => (isOpen(request) ? [{ step, item, attempt }] : []));
  if (submit.length > 0) return { submit };
  if (items.some(request => request && isLive(request.status))) return null;
  return { end: items.some(request => request?.status === 'failed') ? 'failed' : 'cancelled' };
}

/** Returns the URLs of the results of each finished step, by step id. */
export function outputsOf(steps: readonly StoredStep[], made: Made, urlOf: (key: string) => string) {
  const outputs = steps.flatMap(({ id, each }, at): [string, string | string[] | undefined][] => {
    const keys = made[at]!.map(request => request?.result?.key);
    if (keys.some(key => key === undefined)) return [];
    const urls = keys.map(key => urlOf(key!));
    return [[id, each === undefined ? urls[0] : urls]];
  });
  return Object.fromEntries(outputs);
}
