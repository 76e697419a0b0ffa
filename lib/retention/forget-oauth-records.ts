import { pool } from '#lib/db/client';

/** Forgets codes, tokens and questions that are over, and apps that have asked for a day and were let in by nobody. */
export async function forgetOauthRecords(): Promise<number> {
  const { rowCount } = await pool().query(`
    delete from oauth_records r where r.expires_at < now() or (r.model = 'Client' and r.created_at < now() - interval '1 day'
      and not exists (select from api_keys k where k.app->>'clientId' = r.payload->>'client_id' and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > now())))`);
  return rowCount ?? 0;
}
