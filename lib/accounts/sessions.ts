import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { sessions } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';

export type Session = typeof sessions.$inferSelect;

/** Maximum number of sessions of an account. A further sign-in ends the session used least recently. */
const MOST_SESSIONS = 100;

export const SESSION_SECONDS = 30 * 24 * 3600;

/** User agent and network address of a browser. */
interface Device {
  userAgent: string;
  address: string;
}

/** Signs a browser in and returns its session id. Keeps the session `previous` if it belongs to the same account. */
export async function openSession(
  accountId: string,
  { userAgent, address }: Device,
  previous: string | null,
  tx: Tx = db(),
) {
  const facts = {
    userAgent: userAgent.toWellFormed().slice(0, 300),
    address,
    lastUsedAt: sql`date_trunc('minute', now())`,
    expiresAt: sql`now() + ${SESSION_SECONDS} * interval '1 second'`,
  };
  if (previous) {
    const [kept] = await tx
      .update(sessions)
      .set(facts)
      .where(and(eq(sessions.id, previous), eq(sessions.accountId, accountId)))
      .returning({ id: sessions.id });
    if (kept) return kept.id;
  }
  const id = newId();
  await tx.transaction(async tx => {
    await tx.insert(sessions).values({ id, accountId, ...facts });
    const over = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.accountId, accountId))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
      .offset(MOST_SESSIONS);
    await tx.delete(sessions).where(inArray(sessions.id, over));
  });
  return id;
}

/** Lists the live sessions of an account, most recently used first. */
export const listSessions = (accountId: string): Promise<Session[]> =>
  db()
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), sql`${sessions.expiresAt} > now()`))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id));

/** Ends a session of an account, effective with the next request. Throws `not_found` when there is no such session. */
export async function endSession(accountId: string, id: string): Promise<void> {
  const ended = isUuid(id)
    ? await db()
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId)))
        .returning({ id: sessions.id })
    : [];
  if (ended.length === 0) throw new AppError('not_found', 'No such session. It may have ended already.');
}

/** Ends all sessions of an account other than `except`, effective with the next request. */
export async function endSessions(
  accountId: string,
  { except, tx = db() }: { except?: string; tx?: Tx } = {},
): Promise<void> {
  await tx
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), except === undefined ? undefined : ne(sessions.id, except)));
}
