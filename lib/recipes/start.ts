import type { Caller } from '#lib/accounts/callers';
import { valuesOf } from '#lib/catalog/recipe-bodies';
import { getRecipe } from '#lib/catalog/recipes';
import type { Tx } from '#lib/db/client';
import { recipeRuns } from '#lib/db/schema';
import { AppError, requireValid } from '#lib/errors';
import { admitWhole, requireMayGenerate } from '#lib/generations/admit';
import { inTurnOfKey } from '#lib/generations/in-turn-of-key';
import { collectMedia } from '#lib/generations/collect-media';
import { newId } from '#lib/ids';
import { planRun } from '#lib/recipes/plan';
import { mediaOf, readInputs } from '#lib/recipes/read-inputs';
import { findByKey, setGoing, type Run } from '#lib/recipes/runs';
import { titledSteps } from '#lib/recipes/titles';
import { sum } from '#lib/sum';
import { discardInputs } from '#lib/uploads/discard-inputs';

interface Start {
  caller: Caller;
  recipeId: string;
  idempotencyKey?: string | undefined;
  /** Maximum price of the whole run; a higher one is refused. */
  maxGems?: number | undefined;
  /** Reads the body; not called for a replay. */
  body: () => Promise<Record<string, unknown>>;
  signal?: AbortSignal | undefined;
}

/**
 * Starts a run, if it passes every check that can be made in advance and the balance covers all of it. Charges nothing
 * itself: each request is charged when a worker submits it. A repeated idempotency key returns the first run.
 */
export async function startRun(start: Start): Promise<{ run: Run; replayed: boolean }> {
  const { caller, idempotencyKey: key } = start;
  const scope = caller.keyId ?? caller.accountId;
  return inTurnOfKey({ id: scope, key }, async () => {
    const earlier = await findByKey(scope, key);
    return earlier ? { run: earlier, replayed: true } : startFirst(start, scope);
  });
}

async function startFirst(start: Start, scope: string): Promise<{ run: Run; replayed: boolean }> {
  const { caller, idempotencyKey: key, signal } = start;
  const { accountId, keyId } = caller;
  const recipe = getRecipe(start.recipeId);
  const body = await start.body();
  requireMayGenerate(caller);
  const read = readInputs(recipe, body);
  requireValid(read.issues);
  const { prices, issues } = await planRun(accountId, recipe.steps, valuesOf(recipe, read.inputs), signal);
  requireValid(issues);
  await admitWhole(caller, { gems: sum(prices.flat()), maxGems: start.maxGems, costs: 'This run costs' });
  const steps = await titledSteps(accountId, recipe, read.inputs);

  // the run keeps its own copies, as its steps use the files later, when the originals may have been deleted
  const { fields, files } = await collectMedia(accountId, mediaOf(recipe, read.inputs), new Map(), {
    signal,
    own: true,
  });
  const inputs = { ...read.inputs, ...fields };
  const { id: recipeId, name, results } = recipe;
  const owner = { id: newId(), accountId, apiKeyId: keyId, scope, key };
  const values = { ...owner, recipe: recipeId, name, steps, results, inputs, values: valuesOf(recipe, inputs), prices };
  const insert = (tx: Tx) => tx.insert(recipeRuns).values(values).onConflictDoNothing().returning();
  const started = await setGoing(caller, async tx => (await insert(tx))[0]).catch((error: unknown) => {
    // only after a refusal is it certain that the run was not stored
    if (error instanceof AppError) return error;
    throw error;
  });
  if (started && !(started instanceof AppError)) return { run: started, replayed: false };
  await discardInputs(files);
  // another process may have started the run meanwhile, which may be the reason for the refusal
  const earlier = await findByKey(scope, key);
  if (earlier) return { run: earlier, replayed: true };
  throw started;
}
