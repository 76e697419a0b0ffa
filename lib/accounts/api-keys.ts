import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { makeApiKey, parseApiKey } from '#lib/accounts/api-key-format';
import { parseInput } from '#lib/accounts/input';
import { noteKeyUse } from '#lib/accounts/key-use';
import { gems, line } from '#lib/contract/values';
import { batched } from '#lib/db/batched';
import { db, pool, type Tx } from '#lib/db/client';
import { accounts, apiKeys } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';
import { requireRoom } from '#lib/quotas';

/** A key as it may be shown: all but the key itself, which nobody has but its holder. */
export type ApiKey = Omit<typeof apiKeys.$inferSelect, 'hash'>;

const NewApiKey = z.object({
  name: line(100),
  expiresAt: z
    .date('a moment in the future')
    .refine(date => date.getTime() > Date.now(), 'a moment in the future')
    .nullish(),
  monthlyBudget: gems().nullish(),
});

const { id, accountId, name, lastFour, expiresAt, monthlyBudget, revokedAt, lastUsedAt, createdAt } = apiKeys;
const shown = { id, accountId, name, lastFour, expiresAt, monthlyBudget, revokedAt, lastUsedAt, createdAt };

/** Makes a key for the account. `key` is shown this once: only its hash is kept. Throws `quota_exceeded`. */
export async function createApiKey(
  owner: string,
  input: { name: string; expiresAt?: Date | null; monthlyBudget?: number | null },
  tx: Tx = db(),
): Promise<ApiKey & { key: string }> {
  const fields = parseInput(NewApiKey, input);
  const key = makeApiKey();
  const hash = parseApiKey(key);
  if (!hash) throw new Error('a new key does not pass its own check');
  return await tx.transaction(async tx => {
    await requireRoom(owner, 'LIMIT_KEYS', 1, tx);
    const [row] = await tx
      .insert(apiKeys)
      .values({ id: newId(), accountId: owner, hash, lastFour: key.slice(-4), ...fields })
      .returning(shown);
    if (!row) throw new Error('a new key was not stored');
    return { ...row, key };
  });
}

/** The account's keys, newest first, revoked ones too. */
export const listApiKeys = (owner: string): Promise<ApiKey[]> =>
  db().select(shown).from(apiKeys).where(eq(apiKeys.accountId, owner)).orderBy(desc(apiKeys.id));

/** Keys of any account by what an operator knows of them: the id or the last four characters. Revoked ones are left out. */
export const findLiveApiKeys = (known: { id: string } | { lastFour: string }): Promise<ApiKey[]> =>
  db()
    .select(shown)
    .from(apiKeys)
    .where(
      and(
        isNull(apiKeys.revokedAt),
        'id' in known ? sql`${apiKeys.id}::text = lower(${known.id})` : eq(apiKeys.lastFour, known.lastFour),
      ),
    );

/**
 * Ends a key for good, from the next request on; submits that it has under way come before, or are refused. Revoking again
 * changes nothing.
 */
export async function revokeApiKey(owner: string, keyId: string): Promise<ApiKey> {
  if (!isUuid(keyId)) throw noSuchKey();
  return await db().transaction(async tx => {
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, owner)).for('no key update');
    const [row] = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, date_trunc('milliseconds', now()))` })
      .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, owner)))
      .returning(shown);
    if (!row) throw noSuchKey();
    return row;
  });
}

const noSuchKey = () => new AppError('not_found', 'No such key on this account.');

/** Who makes a call, and what the account allows them. */
export interface Caller {
  accountId: string;
  /** Null when the call comes from the account's own browser session. */
  keyId: string | null;
  mayGenerate: boolean;
  mayCreateCast: boolean;
  inFlightLimit: number;
  /** Most gems that the key may spend in a calendar month (UTC); null for no budget. */
  monthlyBudget: number | null;
  /** Whether a submit may buy gems first. */
  autoTopUp: boolean;
}

/**
 * The caller that an API key stands for; null when it is no key, unknown, revoked or expired, or its account is disabled.
 * Every call asks the database, so that a revocation holds from the next request on in every process.
 */
export async function verifyApiKey(token: string): Promise<Caller | null> {
  const hash = parseApiKey(token);
  return hash && (await findCaller(hash));
}

const FIND_CALLERS = {
  name: 'find_callers',
  rowMode: 'array',
  text: `
    select encode(k.hash, 'hex'), k.id, k.account_id, a.may_generate, a.may_create_cast, a.in_flight_limit, k.monthly_budget,
      a.auto_top_up is not null, k.last_used_at is null or k.last_used_at <= now() - interval '1 minute'
    from api_keys k join accounts a on a.id = k.account_id
    where k.hash = any($1) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and a.disabled_at is null`,
} as const;

type CallerRow = [string, string, string, boolean, boolean, number, number | null, boolean, boolean];

const findCaller = batched('api-keys', findCallers);

async function findCallers(hashes: readonly Buffer[]): Promise<(Caller | null)[]> {
  const { rows } = await pool().query<CallerRow>({ ...FIND_CALLERS, values: [hashes] });
  const callers = new Map<string, Caller>();
  for (const [
    hash,
    keyId,
    accountId,
    mayGenerate,
    mayCreateCast,
    inFlightLimit,
    monthlyBudget,
    autoTopUp,
    useIsOld,
  ] of rows) {
    callers.set(hash, { accountId, keyId, mayGenerate, mayCreateCast, inFlightLimit, monthlyBudget, autoTopUp });
    if (useIsOld) noteKeyUse(keyId);
  }
  return hashes.map(hash => callers.get(hash.toString('hex')) ?? null);
}
