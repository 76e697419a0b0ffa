import { parseApiKey } from '#lib/accounts/api-key-format';
import { noteKeyUse } from '#lib/accounts/key-use';
import type { Scope } from '#lib/scopes';
import { batched } from '#lib/db/batched';
import { pool } from '#lib/db/client';
import { firstAnswerOf, type FirstAnswer, type FirstAnswerValues } from '#lib/db/first-answer';
import { keyLives } from '#lib/db/live-key';

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
  /** Gems that there were when the call came. */
  balance: number;
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
  const found = await findWithRequest({ hash, beside: null });
  return found && noted(found, address);
}

/** What is read together with the key, so that nothing is asked as often: a request by its id, or what was answered first under an idempotency key. */
export type Beside = { requestId: string } | { idempotencyKey: string };

/** What was found beside the key: a request of its account by its id, or a first answer. */
export type FoundBeside = FirstAnswer;

/** As `verifyApiKey`, and with it what is asked for beside. */
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
  /** Whether the call came with what the key was before it was rolled. */
  isPrevious: boolean;
  /** Whether its last use is to be written again. */
  useIsOld: boolean;
}

function noted({ caller, isPrevious, useIsOld }: Found, address: string): Caller {
  if (useIsOld) noteKeyUse(caller.keyId, { address, isPrevious });
  return caller;
}

/** What the database's `callers` has of one. */
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

/** `name` is a function of the database, of hashes and of what is looked for beside each. */
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
  // every poll asks: the database works on one while this process writes what the other has found
  return batched(name, find, { underWay: 2 });
}

/**
 * Who acts for an account after the call that asked for it: by the key that made the call, or (null) the account itself. Null when
 * the key was revoked or is over, or the account is disabled or gone.
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
