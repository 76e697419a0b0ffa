import { and, eq } from 'drizzle-orm';
import { recordAct, type Actor } from '#lib/accounts/audit';
import { catalog } from '#lib/catalog/catalog';
import { db } from '#lib/db/client';
import { examples, requests } from '#lib/db/schema';
import { hasResult } from '#lib/generations/has-result';
import { keepResult } from '#lib/generations/keep';
import { getGeneration } from '#lib/generations/read';
import type { Generation } from '#lib/life/generation';

/** An operator with an account, because examples are chosen from the operator's own results. */
type Chooser = Actor & { id: string };

/**
 * Makes one of the operator's results the public example of its architecture, in place of any other, and keeps it, so
 * that it does not expire. Throws `request_not_found`, `request_live`, `media_expired`, `quota_exceeded`.
 */
export async function setExample(actor: Chooser, requestId: string): Promise<void> {
  const { id, architecture } = await keepResult(actor.id, requestId);
  await db().transaction(async tx => {
    const [before] = await tx.select().from(examples).where(eq(examples.architecture, architecture)).for('update');
    if (before?.requestId === id) return;
    await tx
      .insert(examples)
      .values({ architecture, requestId: id })
      .onConflictDoUpdate({ target: examples.architecture, set: { requestId: id } });
    await recordAct(
      actor,
      { act: 'example.set', subject: architecture, accountId: actor.id, after: { request: id } },
      tx,
    );
  });
}

/** Removes an example; does nothing for a request that is not one. Throws `request_not_found`. */
export async function unsetExample(actor: Chooser, requestId: string): Promise<void> {
  const { id, architecture } = await getGeneration(actor.id, requestId);
  await db().transaction(async tx => {
    const gone = await tx
      .delete(examples)
      .where(and(eq(examples.architecture, architecture), eq(examples.requestId, id)))
      .returning();
    const act = { act: 'example.unset', subject: architecture, accountId: actor.id, before: { request: id } };
    if (gone.length > 0) await recordAct(actor, act, tx);
  });
}

/** Lists the examples of live architectures whose results are available, in the order of the catalog. */
export async function listExamples(): Promise<Generation[]> {
  const rows = await db()
    .select({ request: requests })
    .from(examples)
    .innerJoin(requests, eq(requests.id, examples.requestId));
  const found = new Map(rows.map(({ request }) => [request.architecture, request]));
  return catalog()
    .all()
    .flatMap(({ id, state }) => {
      const example = state === 'live' ? found.get(id) : undefined;
      return example && hasResult(example) ? example : [];
    });
}
