import type { Caller } from '#lib/accounts/api-keys';
import { batched } from '#lib/db/batched';
import { pool } from '#lib/db/client';
import { isUuid } from '#lib/ids';

/** The account that is signed in in a browser. */
export interface SessionCaller extends Caller {
  keyId: null;
  email: string;
  name: string | null;
  operator: boolean;
  sessionEpoch: number;
}

/**
 * The holder of a session of that epoch; null when the sessions were ended since, or the account is disabled or gone. Every
 * call asks the database, so that the end of a session and a change of permissions hold from the next request on.
 */
export async function findSessionHolder(accountId: string, epoch: number): Promise<SessionCaller | null> {
  const holder = isUuid(accountId) ? await findHolder(accountId) : null;
  return holder?.sessionEpoch === epoch ? holder : null;
}

const FIND_HOLDERS = {
  name: 'find_session_holders',
  text: `
    select id as "accountId", null as "keyId", may_generate as "mayGenerate", may_create_cast as "mayCreateCast",
      in_flight_limit as "inFlightLimit", null as "monthlyBudget", auto_top_up is not null as "autoTopUp", email, name, operator,
      session_epoch as "sessionEpoch"
    from accounts where id = any($1) and disabled_at is null`,
} as const;

const findHolder = batched('session-holders', findHolders);

async function findHolders(ids: readonly string[]): Promise<(SessionCaller | null)[]> {
  const { rows } = await pool().query<SessionCaller>({ ...FIND_HOLDERS, values: [ids] });
  const holders = new Map(rows.map(row => [row.accountId, row]));
  return ids.map(id => holders.get(id) ?? null);
}
