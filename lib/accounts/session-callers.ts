import type { Caller } from '#lib/accounts/callers';
import { batched } from '#lib/db/batched';
import { pool } from '#lib/db/client';

/** Holder of a session, as read from the database. */
export interface SessionHolder extends Caller {
  keyId: null;
  email: string;
  name: string | null;
  operator: boolean;
}

interface Session {
  accountId: string;
  sessionId: string;
}

const FIND_HOLDERS = {
  name: 'find_session_holders',
  text: `
    with used as (
      update sessions set last_used_at = date_trunc('minute', now())
      where id = any($1) and last_used_at <= now() - interval '1 minute'
    )
    select s.id as "sessionId", a.id as "accountId", null as "keyId", null as scopes, may_generate as "mayGenerate",
      may_create_cast as "mayCreateCast", in_flight_limit as "inFlightLimit", balance, null as "keyInFlightLimit",
      null as "monthlyBudget", auto_top_up is not null as "autoTopUp", email, name, operator
    from unnest($1::uuid[], $2::uuid[]) as s (id, account_id)
    join sessions using (id, account_id)
    join accounts a on a.id = s.account_id
    where a.disabled_at is null and expires_at > now()`,
} as const;

/**
 * Returns the holder of a session; null when the session has ended or expired, or the account is disabled or deleted.
 * Every call queries the database, so that ended sessions and changed permissions take effect with the next request.
 */
export const findSessionHolder = batched('session-holders', findHolders);

async function findHolders(asked: readonly Session[]): Promise<(SessionHolder | null)[]> {
  const values = [asked.map(({ sessionId }) => sessionId), asked.map(({ accountId }) => accountId)];
  const { rows } = await pool().query<SessionHolder & { sessionId: string }>({ ...FIND_HOLDERS, values });
  const holders = new Map(rows.map(({ sessionId, ...holder }) => [sessionId, holder]));
  return asked.map(({ sessionId }) => holders.get(sessionId) ?? null);
}
