import { pool } from '#lib/db/client';
import type { Mail } from '#lib/db/schema';

/** For tests: the mails that a worker is to send to an address, oldest first. */
export async function owedMails(to: string): Promise<Mail[]> {
  const owed = `select mail from outbox where mail ->> 'to' = $1 order by id`;
  return (await pool().query<{ mail: Mail }>(owed, [to])).rows.map(({ mail }) => mail);
}
