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

/** The run as it is; null when its account is gone. */
export async function findRun(id: string): Promise<Run | null> {
  const [run] = await db().select().from(recipeRuns).where(eq(recipeRuns.id, id));
  return run ?? null;
}

/** The account's run; throws `run_not_found`, also for another account's and for what is no id. */
export async function getRun(accountId: string, id: string): Promise<Run> {
  const run = isUuid(id) ? await findRun(id.toLowerCase()) : null;
  if (run?.accountId === accountId) return run;
  throw new AppError('run_not_found', 'No run with this id belongs to the account.');
}

/** The run that was started first under the key. */
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

/** A page of the account's runs, newest first. */
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

/** All requests that these runs submitted, by run, oldest first. */
export async function requestsOf(runs: readonly Pick<Run, 'id'>[]): Promise<Map<string, Generation[]>> {
  if (runs.length === 0) return new Map();
  const ids = runs.map(({ id }) => id);
  const rows = await db().select().from(requests).where(inArray(requests.runId, ids)).orderBy(asc(requests.id));
  return Map.groupBy(rows, row => row.runId!);
}

/**
 * Has `write` make a run go, which a worker then looks at. Of an account no more go at a time than requests: one that waits is looked at
 * again and again, and the runs of others wait for that. Throws `too_many_requests`.
 */
export const setGoing = (caller: Goer, write: (tx: Tx) => Promise<Run | undefined>): Promise<Run | undefined> =>
  inTurn(caller.accountId, async () => {
    // the hopeless need not hold the account
    await requireFew(caller, 1, db());
    return db().transaction(async tx => {
      // those of other processes count, too
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

/** Has a worker look at the run as soon as the transaction is through. */
export const wakeRun = (id: string, tx: Tx): Promise<void> => owe(tx, [{ consumer: 'runs', subjectId: id }]);
