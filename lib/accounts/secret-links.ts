import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { lockAccount } from '#lib/accounts/accounts';
import { db, type Tx } from '#lib/db/client';
import { secretLinks } from '#lib/db/schema';
import { newId, randomToken } from '#lib/ids';
import { hashSecret } from '#lib/secrets';

export type SecretLink = typeof secretLinks.$inferSelect;

/**
 * Makes a link that works once and for so long, by the clock of the database, which says when it is over. The token is told this once; only
 * its hash is kept.
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

/** The part of a mailed address that says where its reader wants to go then; the page there knows what is a page of ours. */
export const andNext = (next: string | undefined, sign: '?' | '&'): string =>
  next === undefined ? '' : `${sign}next=${encodeURIComponent(next)}`;

const usable = (kind: SecretLink['kind'], token: string) =>
  and(
    eq(secretLinks.tokenHash, hashSecret(token)),
    eq(secretLinks.kind, kind),
    isNull(secretLinks.usedAt),
    gt(secretLinks.expiresAt, sql`now()`),
  );

/** The link of the token while it works; null when it was used, is over or never was. */
export async function findSecretLink(
  kind: SecretLink['kind'],
  token: string,
  tx: Tx = db(),
): Promise<SecretLink | null> {
  const [row] = await tx.select().from(secretLinks).where(usable(kind, token));
  return row ?? null;
}

/** Uses the link up: of many who try at once one gets it. */
export async function spendSecretLink(kind: SecretLink['kind'], token: string, tx: Tx): Promise<SecretLink | null> {
  const link = await findSecretLink(kind, token, tx);
  // before its links, as whoever ends all of them does: two would wait for each other
  if (link?.accountId) await lockAccount(link.accountId, tx);
  const [row] = await tx
    .update(secretLinks)
    .set({ usedAt: sql`now()` })
    .where(usable(kind, token))
    .returning();
  return row ?? null;
}

/** Uses up every link of the account that is left, or those of one kind. */
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
