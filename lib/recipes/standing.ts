import { namesOf } from '#lib/catalog/render-template';
import type { RunPart, StoredStep } from '#lib/db/schema';
import { hasResult } from '#lib/generations/has-result';
import type { Generation } from '#lib/life/generation';
import { isLive, type RunStatus } from '#lib/status';
import type { Run } from '#lib/recipes/runs';
import { sum } from '#lib/sum';

// How a run stands, from its row and its requests. Pure.

/** The last try of each request of each step; null where none was made. */
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

/** What was made and is kept no longer, of which something that is missing is made: without it every retry would be refused. */
function lostOf(steps: readonly StoredStep[], made: Made): ReadonlySet<Generation> {
  const lost = new Set<Generation>();
  const used = new Set<string>();
  for (const [at, { id, each, body }] of [...steps.entries()].toReversed()) {
    const items = made[at]!;
    if (used.has(id))
      for (const request of items) if (request?.status === 'completed' && !hasResult(request)) lost.add(request);
    // what is live has what it is made of already
    const isMissing = items.some(request => !request || isStopped(request) || lost.has(request));
    if (isMissing) for (const name of namesOf([each, ...Object.values(body)].flat())) used.add(name);
  }
  return lost;
}

const isStopped = ({ status }: Generation): boolean => !isLive(status) && status !== 'completed';

/**
 * Of each request whether it is neither made nor being made, or not kept and needed for what is not. What is live of a run that was
 * cancelled was submitted at that moment, and is about to end.
 */
export function missingOf({ steps, status }: Pick<Run, 'steps' | 'status'>, made: Made): boolean[][] {
  const lost = lostOf(steps, made);
  const isThere = (request: Generation) =>
    request.status === 'completed' ? !lost.has(request) : isLive(request.status) && status !== 'cancelled';
  return made.map(items => items.map(request => !request || !isThere(request)));
}

/** The price of all that is missing: what a retry costs. What is still being made is paid. */
export function priceOfMissing(run: Pick<Run, 'prices' | 'steps' | 'status'>, made: Made): number {
  const missing = missingOf(run, made);
  return sum(run.prices.flatMap((items, step) => items.filter((_, item) => missing[step]![item])));
}

/** What the first step that is not done is to submit, or how the run ends; neither while something of it is live. */
type Next = { submit: RunPart[] } | { end: Exclude<RunStatus, 'running'> } | null;

export function nextOf({ attempt, steps, updatedAt }: Pick<Run, 'attempt' | 'steps' | 'updatedAt'>, made: Made): Next {
  const lost = lostOf(steps, made);
  // what was under way when the run was run again, and was cancelled since, is not to be made once more
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

/** What the run has made so far: under the id of each step that is done, the addresses of its files. */
export function outputsOf(steps: readonly StoredStep[], made: Made, urlOf: (key: string) => string) {
  const outputs = steps.flatMap(({ id, each }, at): [string, string | string[] | undefined][] => {
    const keys = made[at]!.map(request => request?.result?.key);
    if (keys.some(key => key === undefined)) return [];
    const urls = keys.map(key => urlOf(key!));
    return [[id, each === undefined ? urls[0] : urls]];
  });
  return Object.fromEntries(outputs);
}
