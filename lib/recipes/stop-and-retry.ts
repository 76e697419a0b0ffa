import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Caller } from '#lib/accounts/callers';
import { db } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { recipeRuns, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { admitWhole, requireMayGenerate } from '#lib/generations/admit';
import { finish } from '#lib/life/finish';
import { getRun, requestsOf, setGoing, wakeRun, type Run } from '#lib/recipes/runs';
import { planRun } from '#lib/recipes/plan';
import { lastTries, missingOf, priceOfMissing, type Made } from '#lib/recipes/standing';
import { valuesNow } from '#lib/recipes/values-now';

/** Stops a run and cancels its live requests without a refund. Idempotent. Throws `run_finished`. */
export async function cancelRun(accountId: string, id: string): Promise<Run> {
  const run = await getRun(accountId, id);
  return (await stop(run)) ?? (await alreadyEnded(accountId, id));
}

const stop = ({ id, accountId }: Run): Promise<Run | undefined> =>
  transactionOf(accountId, async tx => {
    const [cancelled] = await tx
      .update(recipeRuns)
      .set({ status: 'cancelled', updatedAt: sql`now()` })
      .where(and(eq(recipeRuns.id, id), eq(recipeRuns.status, 'running')))
      .returning();
    if (!cancelled) return;
    await finish(eq(requests.runId, id), { status: 'cancelled' }, tx);
    // the worker refunds requests that are submitted while this transaction commits
    await wakeRun(id, tx);
    return cancelled;
  });

async function alreadyEnded(accountId: string, id: string): Promise<Run> {
  const run = await getRun(accountId, id);
  if (run.status === 'cancelled') return run;
  throw new AppError('run_finished', `The run is already ${run.status} and cannot be cancelled.`);
}

/**
 * Retries the missing requests of a run at current prices, charged to the caller's key as they are submitted. Throws
 * when the balance does not cover all of them, or when they cost more than `maxGems`; the run then has the new prices.
 */
export async function retryRun(caller: Caller, id: string, maxGems?: number): Promise<Run> {
  const run = await getRun(caller.accountId, id);
  requireMayGenerate(caller);
  if (run.status === 'running')
    throw new AppError('run_live', 'The run is still in progress; wait until it ends, or cancel it.');
  if (run.status === 'completed') throw new AppError('run_finished', 'The run is completed: nothing is missing.');
  const made = lastTries(run, (await requestsOf([run])).get(run.id) ?? []);
  const prices = await pricesNow(run, made);
  await db().update(recipeRuns).set({ prices }).where(isStopped(run));
  const gems = priceOfMissing({ ...run, prices }, made);
  await admitWhole(caller, { gems, maxGems, costs: 'What is missing of this run costs' });
  const again = await setGoing(caller, async tx => {
    const [again] = await tx
      .update(recipeRuns)
      // the retrying key pays, since otherwise its budget would not apply
      .set({ status: 'running', error: null, attempt: run.attempt + 1, apiKeyId: caller.keyId, updatedAt: sql`now()` })
      .where(isStopped(run))
      .returning();
    return again;
  });
  return again ?? getRun(caller.accountId, id);
}

/** SQL condition: the run is stopped and has not been retried since it was read. */
const isStopped = ({ id, attempt }: Run): SQL | undefined =>
  and(eq(recipeRuns.id, id), eq(recipeRuns.attempt, attempt), inArray(recipeRuns.status, ['failed', 'cancelled']));

/** Returns the prices of a run: current ones for missing requests, the original ones for the rest. */
async function pricesNow(run: Run, made: Made): Promise<number[][]> {
  const missing = missingOf(run, made);
  const steps = run.steps.filter((_, at) => missing[at]!.includes(true));
  const plan = await planRun(run.accountId, steps, valuesNow(run, made));
  // a request with issues has no known price; its submission will report them
  if (plan.issues.length > 0) return run.prices;
  return run.prices.map((items, at) => {
    const now = plan.prices[steps.indexOf(run.steps[at]!)];
    return items.map((gems, item) => (missing[at]![item] ? (now?.[item] ?? gems) : gems));
  });
}
