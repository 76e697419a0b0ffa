import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { makeSecretLink, type SecretLink } from '#lib/accounts/secret-links';
import { db, type Tx } from '#lib/db/client';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { secretLinks } from '#lib/db/schema';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';

const DAY = 86_400;

/** Creates an invitation, for one address or for anyone with the link. */
export async function createInvite(
  { email, days = 7, mailed = false }: { email?: string | null | undefined; days?: number; mailed?: boolean },
  tx: Tx = db(),
): Promise<SecretLink & { url: string }> {
  const link = { kind: 'invite', email: email ?? null, mailed, seconds: days * DAY } as const;
  const { token, ...invite } = await makeSecretLink(link, tx);
  return { ...invite, url: `${env().BASE_URL}/sign-up?invite=${token}` };
}

/** Condition for invitations of operators, as opposed to links mailed to users who asked to sign up. */
const isInvite = and(eq(secretLinks.kind, 'invite'), eq(secretLinks.mailed, false));

/** Returns a page of invitations, newest first. */
export async function listInvites({
  limit = 50,
  cursor,
}: { limit?: number; cursor?: string | undefined } = {}): Promise<Page<SecretLink>> {
  const rows = await db()
    .select()
    .from(secretLinks)
    .where(and(isInvite, olderThan(secretLinks.id, cursor)))
    .orderBy(desc(secretLinks.id))
    .limit(limit + 1);
  return toPage(rows, limit, row => row.id);
}

/** Withdraws an unused invitation. Throws `not_found`. */
export async function withdrawInvite(id: string, tx: Tx = db()): Promise<SecretLink> {
  const [row] = isUuid(id)
    ? await tx
        .delete(secretLinks)
        .where(and(eq(secretLinks.id, id), isInvite, isNull(secretLinks.usedAt)))
        .returning()
    : [];
  if (!row) throw new AppError('not_found', 'No such invitation is open.');
  return row;
}

/** Uses up the open invitation of a verified e-mail address; returns false when there is none. */
export async function spendInviteFor(email: string, tx: Tx): Promise<boolean> {
  const used = await tx
    .update(secretLinks)
    .set({ usedAt: sql`now()` })
    .where(
      sql`${secretLinks.kind} = 'invite' and ${secretLinks.usedAt} is null and ${secretLinks.expiresAt} > now()
        and lower(${secretLinks.email}) = lower(${email})`,
    )
    .returning({ id: secretLinks.id });
  return used.length > 0;
}
