import { canSendMail } from '#lib/accounts/mail';
import type { NoticesWire } from '#lib/contract/notice-schemas';
import { noticeWords } from '#lib/notices/notice-words';
import { listNotices, readNoticeSettings, type NoticeRow } from '#lib/notices/notices';

/** Returns the account's notices and notice settings as the studio shows them. */
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
