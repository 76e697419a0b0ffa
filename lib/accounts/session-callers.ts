import type { Caller } from '#lib/accounts/callers';
import { batched } from '#lib/db/batched';
import { db, pool } from '#lib/db/client';
import { endedSessions } from '#lib/db/schema';

/** The account that is signed in in a browser. */
export interface SessionCaller extends Caller {
  keyId: null;
  email: string;
  name: string | null;
  operator: boolean;
  sessionEpoch: number;
}

interface Session {
  accountId: string;
  epoch: number;
  sessionId: string;
}

/**
 * The holder of a session; null when it or all sessions of its epoch were ended since, or the account is disabled or gone.
 * Every call asks the database, so that the end of a session and a change of permissions hold from the next request on.
 */
export async function findSessionHolder(session: Session): Promise<SessionCaller | null> {
  const holder = await findHolder(session);
  return holder?.sessionEpoch === session.epoch ? holder : null;
}

/** Ends one session; `over` is when its cookie would have. */
export async function endSession(sessionId: string, over: Date): Promise<void> {
  await db().insert(endedSessions).values({ id: sessionId, expiresAt: over }).onConflictDoNothing();
}

const FIND_HOLDERS = {
  name: 'find_session_holders',
  text: `
    select s.id as "sessionId", a.id as "accountId", null as "keyId", null as scopes, may_generate as "mayGenerate",
      may_create_cast as "mayCreateCast", in_flight_limit as "inFlightLimit", null as "keyInFlightLimit",
      null as "monthlyBudget", auto_top_up is not null as "autoTopUp", email, name, operator, session_epoch as "sessionEpoch"
    from unnest($1::uuid[], $2::uuid[]) as s (id, account_id)
    join accounts a on a.id = s.account_id
    where a.disabled_at is null and not exists (select from ended_sessions e where e.id = s.id)`,
} as const;

const findHolder = batched('session-holders', findHolders);

async function findHolders(sessions: readonly Session[]): Promise<(SessionCaller | null)[]> {
  const values = [sessions.map(({ sessionId }) => sessionId), sessions.map(({ accountId }) => accountId)];
  const { rows } = await pool().query<SessionCaller & { sessionId: string }>({ ...FIND_HOLDERS, values });
  const holders = new Map(rows.map(({ sessionId, ...holder }) => [sessionId, holder]));
  return sessions.map(({ sessionId }) => holders.get(sessionId) ?? null);
}
