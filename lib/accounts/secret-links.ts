import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { lockAccount } from '#lib/accounts/accounts';
import { db, type Tx } from '#lib/db/client';
import { secretLinks } from '#lib/db/schema';
import { newId, randomToken } from '#lib/ids';
import { hashSecret } from '#lib/secrets';

export type SecretLink = typeof secretLinks.$inferSelect;

/**
 * Creates a link that works once and expires after `seconds` by the clock of the database. The token is returned only
 * here, as only its hash is stored.
 */
export async function makeSecretLink(
  {
    seconds,
    ...fields
  }: { seconds: number } & Pick<SecretLink, 'kind'> & Partial<Pick<SecretLink, 'accountId' | 'email' | 'mailed'>>,
  tx: Tx = db(),
): Promise<SecretLink & { token: string }> {
  const token = randomToken(43);
  const [row] = await tx
    .insert(secretLinks)
    .values({
      id: newId(),
      tokenHash: hashSecret(token),
      ...fields,
      expiresAt: sql`date_trunc('milliseconds', now() + ${seconds} * interval '1 second')`,
    })
    .returning();
  if (!row) throw new Error('a link was not stored');
  return { ...row, token };
}

/** Returns the query parameter for where a mailed link leads afterwards. The page checks that the target is its own. */
export const andNext = (next: string | undefined, sign: '?' | '&'): string =>
  next === undefined ? '' : `${sign}next=${encodeURIComponent(next)}`;

const usable = (kind: SecretLink['kind'], token: string) =>
  and(
    eq(secretLinks.tokenHash, hashSecret(token)),
    eq(secretLinks.kind, kind),
    isNull(secretLinks.usedAt),
    gt(secretLinks.expiresAt, sql`now()`),
  );

/** Returns the link of a token; null when it was used, has expired or never existed. */
export async function findSecretLink(
  kind: SecretLink['kind'],
  token: string,
  tx: Tx = db(),
): Promise<SecretLink | null> {
  const [row] = await tx.select().from(secretLinks).where(usable(kind, token));
  return row ?? null;
}

/** Uses a link up. Of several concurrent attempts, one gets the link. */
export async function spendSecretLink(kind: SecretLink['kind'], token: string, tx: Tx): Promise<SecretLink | null> {
  const link = await findSecretLink(kind, token, tx);
  // the account is locked before its links, in the same order as where all of its links end, to avoid a deadlock
  if (link?.accountId) await lockAccount(link.accountId, tx);
  const [row] = await tx
    .update(secretLinks)
    .set({ usedAt: sql`now()` })
    .where(usable(kind, token))
    .returning();
  return row ?? null;
}

/** Uses up all remaining links of an account, or those of one kind. */
export async function spendLinksOf(accountId: string, tx: Tx, kind?: SecretLink['kind']): Promise<void> {
  await tx
    .update(secretLinks)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(secretLinks.accountId, accountId),
        isNull(secretLinks.usedAt),
        kind === undefined ? undefined : eq(secretLinks.kind, kind),
      ),
    );
}
