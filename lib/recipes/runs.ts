import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import type { Caller } from '#lib/accounts/callers';
import { db, type Tx } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { inTurn } from '#lib/db/in-turn';
import { ofAccount } from '#lib/db/of-account';
import { owe } from '#lib/db/owe';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { recipeRuns, requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { tooMany } from '#lib/generations/admit';
import { isUuid } from '#lib/ids';
import type { Generation } from '#lib/life/generation';

export type Run = typeof recipeRuns.$inferSelect;

/** Finds a run; null when it does not exist, such as after its account was deleted. */
export async function findRun(id: string): Promise<Run | null> {
  const [run] = await db().select().from(recipeRuns).where(eq(recipeRuns.id, id));
  return run ?? null;
}

/** Returns a run of the account. Throws `run_not_found`, also for another account's run or a malformed id. */
export async function getRun(accountId: string, id: string): Promise<Run> {
  const run = isUuid(id) ? await findRun(id.toLowerCase()) : null;
  if (run?.accountId === accountId) return run;
  throw new AppError('run_not_found', 'No run with this id belongs to the account.');
}

/** Finds the run that was started under an idempotency key. */
export async function findByKey(scope: string, key: string | undefined): Promise<Run | null> {
  if (key === undefined) return null;
  const [run] = await db()
    .select()
    .from(recipeRuns)
    .where(and(eq(recipeRuns.scope, scope), eq(recipeRuns.key, key)));
  return run ?? null;
}

interface RunFilter {
  limit: number;
  cursor?: string | undefined;
  recipe?: string | undefined;
}

/** Returns a page of the account's runs, newest first. */
export async function listRuns(accountId: string, { limit, cursor, recipe }: RunFilter): Promise<Page<Run>> {
  const rows = await db()
    .select()
    .from(recipeRuns)
    .where(
      and(
        ofAccount(recipeRuns.accountId, accountId),
        olderThan(recipeRuns.id, cursor),
        recipe === undefined ? undefined : eq(recipeRuns.recipe, recipe),
      ),
    )
    .orderBy(desc(recipeRuns.id))
    .limit(limit + 1);
  return toPage(rows, limit, row => row.id);
}

/** Returns all requests of these runs by run id, oldest first. */
export async function requestsOf(runs: readonly Pick<Run, 'id'>[]): Promise<Map<string, Generation[]>> {
  if (runs.length === 0) return new Map();
  const ids = runs.map(({ id }) => id);
  const rows = await db().select().from(requests).where(inArray(requests.runId, ids)).orderBy(asc(requests.id));
  return Map.groupBy(rows, row => row.runId!);
}

/**
 * Lets `write` start or resume a run and wakes a worker for it. An account may have as many running runs as requests in
 * flight: a waiting run is polled again and again, which delays the runs of others. Throws `too_many_requests`.
 */
export const setGoing = (caller: Goer, write: (tx: Tx) => Promise<Run | undefined>): Promise<Run | undefined> =>
  inTurn(caller.accountId, async () => {
    // an early check, so that a call that will be refused does not lock the account
    await requireFew(caller, 1, db());
    return db().transaction(async tx => {
      // locked, because other processes may start runs of the account too
      await holdAccount(caller.accountId, tx, 'no key update');
      const run = await write(tx);
      if (!run) return;
      await requireFew(caller, 0, tx);
      await wakeRun(run.id, tx);
      return run;
    });
  });

type Goer = Pick<Caller, 'accountId' | 'inFlightLimit'>;

async function requireFew({ accountId, inFlightLimit }: Goer, more: number, tx: Tx): Promise<void> {
  const going = and(eq(recipeRuns.accountId, accountId), eq(recipeRuns.status, 'running'));
  if ((await tx.$count(recipeRuns, going)) + more > inFlightLimit) throw tooMany('account', 'run', inFlightLimit);
}

/** Lets a worker advance the run once the transaction has committed. */
export const wakeRun = (id: string, tx: Tx): Promise<void> => owe(tx, [{ consumer: 'runs', subjectId: id }]);
