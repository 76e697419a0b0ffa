import { and, eq, sql, type SQL } from 'drizzle-orm';
import pMap from 'p-map';
import { findCallerById } from '#lib/accounts/callers';
import { db } from '#lib/db/client';
import { recipeRuns, requests, type RunPart } from '#lib/db/schema';
import { AppError, type RefusalCode } from '#lib/errors';
import { submitGeneration } from '#lib/generations/submit';
import { finish } from '#lib/life/finish';
import { log } from '#lib/log';
import { bodiesOf } from '#lib/catalog/recipe-bodies';
import { findRun, requestsOf, type Run } from '#lib/recipes/runs';
import { lastTries, nextOf, type Made } from '#lib/recipes/standing';
import { titlesOf } from '#lib/recipes/titles';
import { valuesNow } from '#lib/recipes/values-now';

/** Maximum number of requests of a run submitted concurrently. */
const AT_ONCE = 4;
/** Temporary refusals, after which the run is retried. */
const PASSING: readonly RefusalCode[] = ['too_many_requests', 'submission_in_progress'];

/**
 * Advances a run: submits the requests of its current step, or ends the run. Idempotent, also for concurrent workers,
 * since every request of a run has its own key. Throws temporary errors, after which it should be called again.
 */
export async function advanceRun(id: string): Promise<void> {
  const run = await findRun(id);
  // a worker may have submitted these requests and crashed before it could refund them
  if (run?.status === 'cancelled') await refund(eq(requests.runId, id));
  if (run?.status !== 'running') return;
  const made = lastTries(run, (await requestsOf([run])).get(id) ?? []);
  const next = nextOf(run, made);
  if (next && 'end' in next) await endRun(run, next.end);
  if (next && 'submit' in next) await submitParts(run, made, next.submit);
}

async function submitParts(run: Run, made: Made, parts: readonly RunPart[]): Promise<void> {
  const caller = await findCallerById(run.accountId, run.apiKeyId);
  const gone = new AppError(
    'unauthorized',
    'The key was revoked or has expired, or its account is disabled. Run what is missing with another key.',
  );
  if (!caller) return refuseRun(run, parts[0]!.step, gone);
  const { step } = parts[0]!;
  const values = valuesNow(run, made);
  const bodies = bodiesOf(run.steps[step]!, values);
  const titles = titlesOf(run, step, values);
  try {
    await pMap(
      parts,
      async part => {
        const { generation } = await submitGeneration({
          caller,
          architectureId: run.steps[step]!.architecture,
          body: () => Promise.resolve(bodies[part.item]!),
          maxGems: run.prices[step]![part.item]!,
          part: { runId: run.id, ...part, recipe: run.recipe, title: titles[part.item] ?? run.name },
        });
        await refundIfStopped(run, generation.id);
      },
      { concurrency: AT_ONCE },
    );
  } catch (error) {
    if (!(error instanceof AppError) || PASSING.includes(error.code)) throw error;
    await refuseRun(run, step, error.code === 'price_above_limit' ? dearer() : error);
  }
}

/** Returns the error for a risen price: the limit is the price at the start of the run, not one sent by the client. */
const dearer = () =>
  new AppError(
    'price_above_limit',
    'It now costs more than when the run started. Run what is missing at the current price.',
  );

/** Refunds a request that was submitted after its run had stopped. */
async function refundIfStopped({ id }: Run, requestId: string): Promise<void> {
  const run = await findRun(id);
  if (run?.status !== 'running') await refund(eq(requests.id, requestId));
}

const STOPPED = 'The run was stopped before this request began.';
const refund = (which: SQL) => finish(which, { status: 'failed', message: STOPPED, cause: STOPPED });

const refuseRun = (run: Run, step: number, { code, message }: AppError): Promise<void> =>
  endRun(run, 'failed', { code, message, step });

async function endRun({ id, attempt }: Run, status: Run['status'], error: Run['error'] = null): Promise<void> {
  const [ended] = await db()
    .update(recipeRuns)
    .set({ status, error, updatedAt: sql`now()` })
    .where(and(eq(recipeRuns.id, id), eq(recipeRuns.attempt, attempt), eq(recipeRuns.status, 'running')))
    .returning({ recipe: recipeRuns.recipe });
  if (ended) log().info({ runId: id, recipe: ended.recipe, status, code: error?.code }, 'recipe run finished');
}
