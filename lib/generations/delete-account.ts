import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Account } from '#lib/accounts/accounts';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { requireAnotherOperator } from '#lib/accounts/operators';
import { endSessions } from '#lib/accounts/sessions';
import { db } from '#lib/db/client';
import { deleteInPortions, inPortions, portionOf } from '#lib/db/in-portions';
import { ofAccount } from '#lib/db/of-account';
import {
  accounts,
  apiKeys,
  characters,
  deliveries,
  media,
  outbox,
  references,
  requestMentions,
  requests,
  submissions,
  uploads,
  webhooks,
} from '#lib/db/schema';
import { env } from '#lib/env';
import { invalid } from '#lib/errors';
import { cancelAll } from '#lib/generations/cancel';
import { log } from '#lib/log';
import { deleteFiles } from '#lib/storage/delete-files';

/** Time limit of one attempt, shorter than the lease after which another worker retries. */
const TRY_MS = 45_000;
/** When a worker takes over what the deleting request did not finish. */
const LATER = sql`now() + interval '60 seconds'`;

/**
 * Deletes an account with everything that it owns, except its ledger rows, which then identify no one. Live requests
 * are cancelled first, so that no worker continues them. A worker finishes a deletion that takes long or is
 * interrupted, while the account is disabled. `confirm` must repeat the e-mail address.
 */
export async function deleteAccount(account: Account, confirm: string): Promise<void> {
  const { id, email, operator } = account;
  if (confirm.trim().toLowerCase() !== email.toLowerCase()) {
    const message = `Type the e-mail address ${email} to delete the account.`;
    throw invalid('invalid_request', [{ path: '/confirm', message }]);
  }
  await db().transaction(async tx => {
    if (operator) await requireAnotherOperator(id, tx);
    // no request is accepted from here on: a submit waits for this lock, and then finds the account disabled
    await tx
      .update(accounts)
      .set({ disabledAt: sql`now()` })
      .where(eq(accounts.id, id));
    await endSessions(id, { tx });
    await cancelAll({ accountId: id }, tx);
    await tx.insert(outbox).values({ consumer: 'accounts', subjectId: id, dueAt: LATER });
    const otherwise = `tell the operator of ${env().BASE_URL} at once.`;
    const sentence = 'Your account was deleted with everything in it.';
    await noteHolderAct(account, { act: 'account.delete', sentence, otherwise }, tx);
  });
  await removeAccount(id).catch((error: unknown) =>
    log().warn({ err: error, accountId: id }, 'deletion of an account continues later'),
  );
}

/** Removes the data of a deleted account, large tables in portions. Throws when interrupted, and can be repeated. */
export async function removeAccount(id: string, stopped?: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(TRY_MS);
  const signal = stopped ? AbortSignal.any([stopped, late]) : late;
  for (const [table, which] of partsOf(id)) await deleteInPortions(table, which, signal);
  do {
    await removeFiles(id, signal);
    signal.throwIfAborted();
  } while (!(await forgetAccount(id)));
  log().info({ accountId: id }, 'account deleted');
}

/**
 * Deletes each file before its row: in the other order, an interruption could leave files that are never found. Files
 * that retention deleted more than a day before the account's deletion are skipped.
 */
async function removeFiles(id: string, signal: AbortSignal): Promise<void> {
  const before = sql`(select coalesce(disabled_at - interval '1 day', '-infinity') from accounts where id = ${id})`;
  await inPortions(async () => {
    const files = await db()
      .update(media)
      .set({ deletedAt: sql`coalesce(${media.deletedAt}, now())` })
      .where(portionOf(media, ofAccount(media.accountId, id)))
      .returning({ id: media.id, key: media.key, mayBeThere: sql<boolean>`${media.deletedAt} > ${before}` });
    await deleteFiles(files.flatMap(file => (file.mayBeThere ? file.key : [])));
    const gone = files.map(file => file.id);
    await db()
      .delete(media)
      .where(sql`${media.id} = any(${sql.param(gone)}::uuid[])`);
    return files.length;
  }, signal);
}

/** Deletes the account's row. Returns false when files were added while the others were removed. */
const forgetAccount = (id: string): Promise<boolean> =>
  db().transaction(async tx => {
    await tx.select().from(accounts).where(eq(accounts.id, id)).for('update');
    const [left] = await tx.select({ id: media.id }).from(media).where(ofAccount(media.accountId, id)).limit(1);
    if (left) return false;
    await tx.delete(accounts).where(eq(accounts.id, id));
    await tx.delete(outbox).where(and(eq(outbox.consumer, 'accounts'), eq(outbox.subjectId, id)));
    return true;
  });

/** Tables that can be large or that refer to files, in order of deletion; the rest is deleted by cascade. */
function partsOf(id: string) {
  const keys = db().select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.accountId, id));
  const hooks = db().select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.accountId, id));
  return [
    [submissions, or(eq(submissions.scope, id), inArray(submissions.scope, keys))],
    [deliveries, inArray(deliveries.webhookId, hooks)],
    [characters, ofAccount(characters.accountId, id)],
    [references, ofAccount(references.accountId, id)],
    [uploads, ofAccount(uploads.accountId, id)],
    [requests, ofAccount(requests.accountId, id)],
    [requestMentions, ofAccount(requestMentions.accountId, id)],
  ] as const;
}
