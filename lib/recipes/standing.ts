import type { RunPart, StoredStep } from '#lib/db/schema';
import type { Generation } from '#lib/life/generation';
import { isLive, type RunStatus } from '#lib/status';
import type { Run } from '#lib/recipes/runs';

// How a run stands, from its row and its requests. Pure.

/** The last try of each request of each step; null where none was made. */
export type Made = (Generation | null)[][];

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export function lastTries({ prices }: Pick<Run, 'prices'>, requests: readonly Generation[]): Made {
  const made: Made = prices.map(items => items.map(() => null));
  for (const request of requests) {
    const { step, item, attempt } = request.runPart!;
    const known = made[step]?.[item];
    if (made[step] && (!known || known.runPart!.attempt < attempt)) made[step][item] = request;
  }
  return made;
}

/** The price of all that is not made: what a retry costs at most. */
export const priceOfMissing = ({ prices }: Pick<Run, 'prices'>, made: Made): number =>
  sum(prices.flatMap((items, step) => items.filter((_, item) => made[step]![item]?.status !== 'completed')));

/** What the first step that is not done is to submit, or how the run ends; neither while something of it is live. */
export type Next = { submit: RunPart[] } | { end: Exclude<RunStatus, 'running'> } | null;

export function nextOf({ attempt }: Pick<Run, 'attempt'>, made: Made): Next {
  const step = made.findIndex(items => items.some(request => request?.status !== 'completed'));
  if (step < 0) return { end: 'completed' };
  const items = made[step]!;
  const isOpen = (request: Generation | null) =>
    request === null ||
    (!isLive(request.status) && request.status !== 'completed' && request.runPart!.attempt < attempt);
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
