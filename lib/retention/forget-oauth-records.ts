import { sql } from 'drizzle-orm';
import { deleteInPortions } from '#lib/db/in-portions';
import { oauthRecords } from '#lib/db/schema';

/**
 * Deletes expired codes, tokens and interactions, and clients older than a day that no account has authorised. A client
 * that was authorised once is kept, so that it can ask again after its access was revoked.
 */
export const forgetOauthRecords = (_now?: Date, stopped?: AbortSignal): Promise<number> =>
  deleteInPortions(
    oauthRecords,
    sql`expires_at < now() or (model = 'Client' and created_at < now() - interval '1 day'
      and not exists (select from api_keys k where k.app->>'clientId' = payload->>'client_id' and k.app is not null))`,
    stopped,
  );
