import { pool } from '#lib/db/client';
import type { Mail } from '#lib/db/schema';

/** Returns the mails that a worker has yet to send to an address, oldest first, for tests. */
export async function owedMails(to: string): Promise<Mail[]> {
  const owed = `select mail from outbox where mail ->> 'to' = $1 order by id`;
  return (await pool().query<{ mail: Mail }>(owed, [to])).rows.map(({ mail }) => mail);
}
