import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { owe } from '#lib/db/owe';
import { accounts, notices } from '#lib/db/schema';
import { NOTICES, type Mute, type Notice } from '#lib/events';
import { newId } from '#lib/ids';
import type { NoticeData } from '#lib/notices/notice-words';

export type NoticeRow = typeof notices.$inferSelect;

interface NoticeSettings {
  /** Threshold in gems: a balance that falls below it raises a notice; null for no such notices. */
  lowBalance: number | null;
  mutes: Mute[];
}

/** Stores a notice in the transaction of its cause; the outbox delivers it to webhooks and by mail afterwards. */
export async function raiseNotice<K extends Notice>(
  accountId: string,
  kind: K,
  data: NoticeData[K],
  tx: Tx,
): Promise<void> {
  const id = newId();
  await tx.insert(notices).values({ id, accountId, kind, data: { ...data } });
  await owe(tx, [{ consumer: 'notices', subjectId: id }]);
}

const MOST = 50;

/** Returns the notices that the studio shows to the account, newest first. */
export function listNotices(accountId: string, mutes: readonly Mute[]): Promise<NoticeRow[]> {
  const shown = NOTICES.filter(kind => !mutes.includes(`${kind}:studio`));
  return db()
    .select()
    .from(notices)
    .where(and(eq(notices.accountId, accountId), sql`${notices.kind} = any(${sql.param(shown)})`))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(MOST);
}

/** Marks the account's notices up to `newest` as seen; later notices were not on its screen yet. */
export const seeNotices = async (accountId: string, newest: string): Promise<void> =>
  void (await db()
    .update(notices)
    .set({ seenAt: sql`now()` })
    .where(
      and(
        eq(notices.accountId, accountId),
        isNull(notices.seenAt),
        sql`${notices.createdAt} <= (select created_at from notices where id = ${newest} and account_id = ${accountId})`,
      ),
    ));

export async function readNoticeSettings(accountId: string): Promise<NoticeSettings> {
  const [row] = await db()
    .select({ lowBalance: accounts.lowBalance, mutes: accounts.mutes })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw new Error(`account ${accountId} is gone`);
  return row;
}

export const changeNoticeSettings = async (accountId: string, { lowBalance, mutes }: NoticeSettings): Promise<void> =>
  void (await db()
    .update(accounts)
    .set({ lowBalance, mutes: [...new Set(mutes)] })
    .where(eq(accounts.id, accountId)));
