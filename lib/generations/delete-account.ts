import { eq, inArray, or, sql } from 'drizzle-orm';
import pMap from 'p-map';
import type { Account } from '#lib/accounts/accounts';
import { requireAnotherOperator } from '#lib/accounts/operators';
import { db } from '#lib/db/client';
import { accounts, apiKeys, media, submissions } from '#lib/db/schema';
import { invalid } from '#lib/errors';
import { cancelAll } from '#lib/generations/cancel';
import { log } from '#lib/log';
import { storage } from '#lib/storage/store';

/** Files that go at a time: whoever deletes an account waits for thousands of them, and is hung up on after a minute and a half. */
const AT_ONCE = 16;

/**
 * Deletes an account with everything that it owns: keys, sessions, requests, characters and files. Its rows of the ledger stay and
 * lead to nobody. Live requests are cancelled first, so that no worker goes on with them. `confirm` repeats the e-mail address.
 */
export async function deleteAccount({ id, email, operator }: Account, confirm: string): Promise<void> {
  if (confirm.trim().toLowerCase() !== email.toLowerCase()) {
    const message = `Repeat the e-mail address ${email} to delete the account.`;
    throw invalid('invalid_request', [{ path: '/confirm', message }]);
  }
  const files = await db().transaction(async tx => {
    if (operator) await requireAnotherOperator(id, tx);
    // nothing is accepted from here on: a submit waits for this lock and finds no account
    await tx.select().from(accounts).where(eq(accounts.id, id)).for('no key update');
    await cancelAll({ accountId: id }, tx);
    const keys = tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.accountId, id));
    await tx.delete(submissions).where(or(eq(submissions.scope, id), inArray(submissions.scope, keys)));
    const files = await tx
      .select({ key: media.key })
      .from(media)
      .where(sql`${media.accountId} = ${id} and ${media.deletedAt} is null`);
    await tx.delete(accounts).where(eq(accounts.id, id));
    return files;
  });
  log().info({ accountId: id, files: files.length }, 'account deleted');
  try {
    await pMap(files, ({ key }) => storage().delete(key), { concurrency: AT_ONCE });
  } catch (error) {
    // the account is gone all the same, and what stays behind is swept like any other file without a row
    log().warn({ err: error, accountId: id }, 'files of a deleted account go later');
  }
}
