import { parseApiKey } from '#lib/accounts/api-key-format';
import { noteKeyUse } from '#lib/accounts/key-use';
import type { Scope } from '#lib/scopes';
import { batched } from '#lib/db/batched';
import { pool } from '#lib/db/client';
import { firstAnswerOf, type FirstAnswer, type FirstAnswerValues } from '#lib/db/first-answer';
import { keyLives } from '#lib/db/live-key';

/** Caller of a request, with their permissions and limits. */
export interface Caller {
  accountId: string;
  /** API key of the call; null when it comes from a browser session of the account. */
  keyId: string | null;
  /** Scopes of the key; null when it may do everything. */
  scopes: readonly Scope[] | null;
  mayGenerate: boolean;
  mayCreateCast: boolean;
  inFlightLimit: number;
  /** Balance in gems at the time of the call. */
  balance: number;
  /** Maximum number of live requests of the key; null when the key has no limit of its own. */
  keyInFlightLimit: number | null;
  /** Maximum number of gems that the key may spend in a calendar month (UTC); null without a budget. */
  monthlyBudget: number | null;
  /** Whether auto top-up is on, so that a submit may buy gems first. */
  autoTopUp: boolean;
}

/**
 * Returns the caller of an API key; null when the token is malformed, unknown, revoked or expired, or the account is
 * disabled. Every call queries the database, so that a revocation takes effect with the next request in every process.
 * `address` is the network address of the caller.
 */
export async function verifyApiKey(token: string, address = ''): Promise<Caller | null> {
  const hash = parseApiKey(token);
  return hash && (await findCaller(hash, address));
}

/** Like `verifyApiKey`, for a key given by its hash. */
export async function findCaller(hash: Buffer, address: string): Promise<Caller | null> {
  const found = await findWithRequest({ hash, beside: null });
  return found && noted(found, address);
}

/** What is read in the same query as the key: a request by its id, or the first answer under an idempotency key. */
export type Beside = { requestId: string } | { idempotencyKey: string };

/** Result of `Beside`: a request of the key's account, or a first answer. */
export type FoundBeside = FirstAnswer;

/** Like `verifyApiKey`, and reads `beside` in the same query. */
export async function verifyApiKeyAnd(
  beside: Beside,
  token: string,
  address: string,
): Promise<({ caller: Caller } & FoundBeside) | null> {
  const hash = parseApiKey(token);
  if (!hash) return null;
  const found = await ('requestId' in beside
    ? findWithRequest({ hash, beside: beside.requestId })
    : findWithFirst({ hash, beside: beside.idempotencyKey }));
  return found && { ...found, caller: noted(found, address) };
}

interface Found {
  caller: Caller & { keyId: string };
  /** Whether the call used the secret from before the key was rolled. */
  isPrevious: boolean;
  /** Whether the recorded last use of the key is due for an update. */
  useIsOld: boolean;
}

function noted({ caller, isPrevious, useIsOld }: Found, address: string): Caller {
  if (useIsOld) noteKeyUse(caller.keyId, { address, isPrevious });
  return caller;
}

/** A caller as the database function `callers` returns it. */
type CallerValues = [
  accountId: string,
  keyId: string,
  scopes: readonly Scope[] | null,
  mayGenerate: boolean,
  mayCreateCast: boolean,
  inFlightLimit: number,
  balance: number,
  keyInFlightLimit: number | null,
  monthlyBudget: number | null,
  autoTopUp: boolean,
  isPrevious: boolean,
  useIsOld: boolean,
];

function foundOf(values: CallerValues): Found {
  const [accountId, keyId, scopes, mayGenerate, mayCreateCast, inFlightLimit, balance, ...rest] = values;
  const [keyInFlightLimit, monthlyBudget, autoTopUp, isPrevious, useIsOld] = rest;
  const rights = { scopes, mayGenerate, mayCreateCast };
  const limits = { inFlightLimit, balance, keyInFlightLimit, monthlyBudget, autoTopUp };
  return { caller: { accountId, keyId, ...rights, ...limits }, isPrevious, useIsOld };
}

const findWithRequest = batchedBeside('callers_and_requests');
const findWithFirst = batchedBeside('callers_and_first_answers');

/** Returns a batched lookup by the database function `name`, which takes key hashes and the value beside each. */
function batchedBeside(name: string) {
  const find = async (asked: readonly { hash: Buffer; beside: string | null }[]) => {
    const { rows } = await pool().query<{ found: [n: number, caller: CallerValues, ...FirstAnswerValues][] | null }>({
      name,
      text: `select ${name}($1, $2) as found`,
      values: [asked.map(({ hash }) => hash), asked.map(({ beside }) => beside)],
    });
    const found: ((Found & FoundBeside) | null)[] = asked.map(() => null);
    for (const [n, caller, ...beside] of rows[0]!.found ?? [])
      found[n] = { ...foundOf(caller), ...firstAnswerOf(beside) };
    return found;
  };
  // every poll runs this query: with two in progress, the database works on one while this process handles the other
  return batched(name, find, { underWay: 2 });
}

/**
 * Returns the caller on whose behalf work continues after a call: the key that made the call, or with null the account
 * itself. Null when the key is revoked or expired, or the account is disabled or deleted.
 */
export async function findCallerById(accountId: string, keyId: string | null): Promise<Caller | null> {
  const { rows } = await pool().query<Caller>({
    name: 'find_caller_by_id',
    text: `
      select a.id as "accountId", k.id as "keyId", k.scopes, may_generate as "mayGenerate", may_create_cast as "mayCreateCast",
        a.in_flight_limit as "inFlightLimit", a.balance, k.in_flight_limit as "keyInFlightLimit", k.monthly_budget::float8 as "monthlyBudget",
        auto_top_up is not null as "autoTopUp"
      from accounts a
      left join api_keys k on k.id = $2 and k.account_id = a.id and ${keyLives('k')}
      where a.id = $1 and a.disabled_at is null and ($2::uuid is null or k.id is not null)`,
    values: [accountId, keyId],
  });
  return rows[0] ?? null;
}
