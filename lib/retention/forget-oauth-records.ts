import { sql } from 'drizzle-orm';
import { deleteInPortions } from '#lib/db/in-portions';
import { oauthRecords } from '#lib/db/schema';

/**
 * Forgets codes, tokens and questions that are over, and apps that have asked for a day and were never let in: one that was keeps its
 * name here and asks by it, also after it was cut off.
 */
export const forgetOauthRecords = (_now?: Date, stopped?: AbortSignal): Promise<number> =>
  deleteInPortions(
    oauthRecords,
    sql`expires_at < now() or (model = 'Client' and created_at < now() - interval '1 day'
      and not exists (select from api_keys k where k.app->>'clientId' = payload->>'client_id' and k.app is not null))`,
    stopped,
  );
