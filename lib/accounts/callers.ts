import { parseApiKey } from '#lib/accounts/api-key-format';
import { noteKeyUse } from '#lib/accounts/key-use';
import type { Scope } from '#lib/scopes';
import { batched } from '#lib/db/batched';
import { pool } from '#lib/db/client';

/** Who makes a call, and what the account allows them. */
export interface Caller {
  accountId: string;
  /** Null when the call comes from the account's own browser session. */
  keyId: string | null;
  /** What the key may do; null: everything. */
  scopes: readonly Scope[] | null;
  mayGenerate: boolean;
  mayCreateCast: boolean;
  inFlightLimit: number;
  /** Most requests of the key that may be live at a time; null for no limit of its own. */
  keyInFlightLimit: number | null;
  /** Most gems that the key may spend in a calendar month (UTC); null for no budget. */
  monthlyBudget: number | null;
  /** Whether a submit may buy gems first. */
  autoTopUp: boolean;
}

/**
 * The caller that an API key stands for; null when it is no key, unknown, revoked or expired, or its account is disabled.
 * Every call asks the database, so that a revocation holds from the next request on in every process. `address` is where the
 * call comes from.
 */
export async function verifyApiKey(token: string, address = ''): Promise<Caller | null> {
  const hash = parseApiKey(token);
  return hash && (await findCaller(hash, address));
}

/** The same, of the key that has this hash. */
export async function findCaller(hash: Buffer, address: string): Promise<Caller | null> {
  const found = await findOne(hash);
  if (!found) return null;
  const { caller, isPrevious, useIsOld } = found;
  if (useIsOld) noteKeyUse(caller.keyId, { address, isPrevious });
  return caller;
}

interface Found {
  caller: Caller & { keyId: string };
  /** Whether it is what the key was before it was rolled. */
  isPrevious: boolean;
  /** Whether its last use is to be written again. */
  useIsOld: boolean;
}

const FIND_CALLERS = {
  name: 'find_callers',
  text: `
    select encode(k.hash, 'hex') as hash, k.last_used_at is null or k.last_used_at <= now() - interval '1 minute' as "useIsOld",
      case when k.previous_until > now() then encode(k.previous_hash, 'hex') end as "previousHash",
      k.previous_used_at is null or k.previous_used_at <= now() - interval '1 minute' as "previousUseIsOld",
      k.account_id as "accountId", k.id as "keyId", k.scopes, a.may_generate as "mayGenerate", a.may_create_cast as "mayCreateCast",
      a.in_flight_limit as "inFlightLimit", k.in_flight_limit as "keyInFlightLimit", k.monthly_budget as "monthlyBudget",
      a.auto_top_up is not null as "autoTopUp"
    from api_keys k join accounts a on a.id = k.account_id
    where (k.hash = any($1) or k.previous_hash = any($1)) and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now()) and a.disabled_at is null`,
} as const;

type Row = Found['caller'] & {
  hash: string;
  useIsOld: boolean;
  previousHash: string | null;
  previousUseIsOld: boolean;
};

const findOne = batched('api-keys', findCallers);

async function findCallers(hashes: readonly Buffer[]): Promise<(Found | null)[]> {
  const { rows } = await pool().query<Row>({ ...FIND_CALLERS, values: [hashes] });
  const found = new Map<string, Found>();
  for (const { hash, useIsOld, previousHash, previousUseIsOld, ...caller } of rows) {
    found.set(hash, { caller, isPrevious: false, useIsOld });
    if (previousHash) found.set(previousHash, { caller, isPrevious: true, useIsOld: previousUseIsOld });
  }
  return hashes.map(hash => found.get(hash.toString('hex')) ?? null);
}
