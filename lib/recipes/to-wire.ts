import { typeOf } from '#lib/catalog/recipe-entry';
import type { RunWire } from '#lib/contract/recipe-schemas';
import type { RequestWire } from '#lib/contract/schemas';
import { env } from '#lib/env';
import { toLiveWires } from '#lib/generations/to-wire';
import type { Generation } from '#lib/life/generation';
import { requestsOf, type Run } from '#lib/recipes/runs';
import { lastTries, nextOf, priceOfMissing } from '#lib/recipes/standing';
import { isLive } from '#lib/status';
import { sum } from '#lib/sum';

/** Converts runs to their form in the API, with their requests. */
export async function toWires(runs: readonly Run[]): Promise<RunWire[]> {
  const requests = await requestsOf(runs);
  const all = [...requests.values()].flat();
  const wires = new Map((await toLiveWires(all)).map(wire => [wire.request_id, wire]));
  return runs.map(run => toWire(run, requests.get(run.id) ?? [], wires));
}

export const toRunWire = async (run: Run): Promise<RunWire> => (await toWires([run]))[0]!;

function toWire(run: Run, all: readonly Generation[], wires: ReadonlyMap<string, RequestWire>): RunWire {
  const { id, recipe, name, status, inputs, prices, results, createdAt, updatedAt } = run;
  const url = `${env().BASE_URL}/v1/recipes/runs/${id}`;
  const steps = stepsOf(run, all, wires);
  const made = results.flatMap(id => steps.find(step => step.id === id)?.requests ?? []);
  return {
    run_id: id,
    recipe,
    name,
    status,
    inputs,
    billing: {
      mode: 'gems',
      gems_estimated: sum(prices.flat()),
      gems_charged: sum(all.map(({ gems }) => gems)),
      gems_refunded: sum(all.map(({ gems, refunded }) => (refunded ? gems : 0))),
      gems_missing: priceOfMissing(run, lastTries(run, all)),
    },
    steps,
    results: made.flatMap(({ result, removed_at }) => (removed_at ? [] : (result ?? []))),
    error: errorOf(run, steps),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    status_url: url,
    cancel_url: `${url}/cancel`,
    retry_url: `${url}/retry`,
  };
}

function stepsOf(run: Run, all: readonly Generation[], wires: ReadonlyMap<string, RequestWire>): RunWire['steps'] {
  const made = lastTries(run, all);
  const current = made.findIndex(items => items.some(request => request?.status !== 'completed'));
  return run.steps.map(({ id, name, architecture }, at) => {
    const prices = run.prices[at]!;
    const requests = made[at]!.flatMap(request => (request ? (wires.get(request.id) ?? []) : []));
    const completed = requests.filter(({ status }) => status === 'completed').length;
    const parts = requests.map(({ status, progress = 0 }) =>
      status === 'completed' ? 1 : isLive(status) ? progress : 0,
    );
    return {
      id,
      name,
      architecture,
      type: typeOf(architecture),
      status: completed === prices.length ? 'completed' : at === current ? stopped(run, made) : 'waiting',
      count: prices.length,
      completed,
      progress: sum(parts) / prices.length,
      gems: sum(prices),
      requests,
    };
  });
}

/** Returns the status of the current step of a run. */
function stopped(run: Run, made: ReturnType<typeof lastTries>): RunWire['status'] {
  if (run.status !== 'running') return run.status;
  const next = nextOf(run, made);
  return next && 'end' in next ? next.end : 'running';
}

function errorOf({ status, error, steps: known }: Run, steps: RunWire['steps']): RunWire['error'] {
  if (status !== 'failed') return null;
  if (error)
    return { ...error, code: error.code as NonNullable<RunWire['error']>['code'], step: known[error.step]!.id };
  for (const { id, requests } of steps)
    for (const { error: failed } of requests) if (failed) return { ...failed, step: id };
  return null;
}
