import { canSendMail } from '#lib/accounts/mail';
import type { NoticesWire } from '#lib/contract/notice-schemas';
import { noticeWords } from '#lib/notices/notice-words';
import { listNotices, readNoticeSettings, type NoticeRow } from '#lib/notices/notices';

/** What the account was told, and wants to be told, as its pages show it. */
export async function noticesToWire(accountId: string): Promise<NoticesWire> {
  const { lowBalance, mutes } = await readNoticeSettings(accountId);
  const notices = await listNotices(accountId, mutes);
  return { data: notices.map(toWire), settings: { low_balance: lowBalance, muted: mutes }, mail: canSendMail() };
}

const toWire = ({ id, kind, data, seenAt, createdAt }: NoticeRow): NoticesWire['data'][number] => ({
  id,
  kind,
  ...noticeWords({ kind, data }),
  seen: seenAt !== null,
  created_at: createdAt.toISOString(),
});
