import { and, desc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { makeApiKey, parseApiKey } from '#lib/accounts/api-key-format';
import { parseInput } from '#lib/accounts/input';
import { SCOPES, type Scope } from '#lib/scopes';
import { gems, line, wholeNumber } from '#lib/contract/values';
import { db, type Tx } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { transactionOf } from '#lib/db/in-turn';
import { keyLives } from '#lib/db/live-key';
import { apiKeys, type ConnectedApp } from '#lib/db/schema';
import { now } from '#lib/db/schema/columns';
import { AppError } from '#lib/errors';
import { isUuid, newId } from '#lib/ids';
import { requireRoom } from '#lib/quotas';

/** An API key without its secret, which is known to the holder only. */
export type ApiKey = Omit<typeof apiKeys.$inferSelect, 'hash' | 'previousHash'>;

/** Permissions and limits of a new key. A limit that is left out or null does not apply. */
export interface NewApiKey {
  name: string;
  /** App that acts with this key. The app gets tokens; the key itself is not given to anyone. */
  app?: ConnectedApp;
  scopes?: Scope[] | null | undefined;
  expiresAt?: Date | null | undefined;
  /** Maximum number of gems spent in a calendar month (UTC). */
  monthlyBudget?: number | null | undefined;
  /** Maximum number of live requests. */
  inFlightLimit?: number | null | undefined;
}

const rules = z.object({
  name: line(100),
  scopes: z.array(z.enum(SCOPES)).min(1, 'at least one').nullish(),
  expiresAt: z
    .date('a time in the future')
    .refine(date => date.getTime() > Date.now(), 'a time in the future')
    .nullish(),
  monthlyBudget: gems().nullish(),
  inFlightLimit: wholeNumber(1, 10_000).nullish(),
});

const { hash: _, previousHash: __, ...shown } = getTableColumns(apiKeys);

/** Creates a key. `key` is shown only this once, as only its hash is stored. Throws `quota_exceeded`. */
export async function createApiKey(
  owner: string,
  { app, ...input }: NewApiKey,
  tx?: Tx,
): Promise<ApiKey & { key: string }> {
  const { scopes, ...fields } = parseInput(rules, { ...input });
  const { key, ...stored } = newSecret();
  const make = async (tx: Tx) => {
    await requireRoom(owner, 'LIMIT_KEYS', 1, tx);
    const [row] = await tx
      .insert(apiKeys)
      .values({ id: newId(), accountId: owner, app, ...stored, ...fields, scopes: scopes && [...new Set(scopes)] })
      .returning(shown);
    if (!row) throw new Error('a new key was not stored');
    return { ...row, key };
  };
  return tx ? make(tx) : transactionOf(owner, make);
}

/** Generates a key and the columns stored for it. */
function newSecret() {
  const key = makeApiKey();
  const hash = parseApiKey(key);
  if (!hash) throw new Error('a new key does not pass its own check');
  return { key, hash, lastFour: key.slice(-4) };
}

/**
 * Replaces the secret of a key; the new one is shown only this once. The previous secret keeps working for `hours`,
 * older ones do not. Budget, idempotency keys and history stay. Throws `not_found`, also for a revoked or expired key
 * and for the key of an app.
 */
export async function rollApiKey(
  owner: string,
  keyId: string,
  hours: number,
  tx: Tx = db(),
): Promise<ApiKey & { key: string }> {
  const { key, ...stored } = newSecret();
  const [row] = isUuid(keyId)
    ? await tx
        .update(apiKeys)
        .set({
          ...stored,
          previousHash: sql`${apiKeys.hash}`,
          previousLastFour: sql`${apiKeys.lastFour}`,
          previousUntil: sql`now() + ${hours} * interval '1 hour'`,
          previousUsedAt: null,
        })
        .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, owner), isNull(apiKeys.app), sql.raw(keyLives())))
        .returning(shown)
    : [];
  if (!row) throw new AppError('not_found', 'No such key on this account, or it is revoked or expired.');
  return { ...row, key };
}

/** Changes a key's budget of gems per calendar month (UTC), null for none. Returns the key before and after. */
export async function changeBudget(
  owner: string,
  keyId: string,
  monthlyBudget: number | null,
  tx: Tx,
): Promise<{ before: ApiKey; after: ApiKey }> {
  if (!isUuid(keyId)) throw noSuchKey();
  const owned = and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, owner));
  const [before] = await tx.select(shown).from(apiKeys).where(owned).for('no key update');
  const [after] = await tx.update(apiKeys).set({ monthlyBudget }).where(owned).returning(shown);
  if (!before || !after) throw noSuchKey();
  return { before, after };
}

/** Maximum number of revoked or expired keys listed: an account that creates a key per release collects many. */
const OVER_LISTED = 100;

/** Lists the keys of an account, newest first; of the revoked or expired ones, only the `OVER_LISTED` latest to end. */
export function listApiKeys(owner: string): Promise<ApiKey[]> {
  const owned = eq(apiKeys.accountId, owner);
  const end = sql`least(${apiKeys.revokedAt}, ${apiKeys.expiresAt})`;
  const over = db()
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(owned, sql`${end} <= now()`))
    .orderBy(desc(end))
    .limit(OVER_LISTED);
  const listed = or(sql`${end} is null`, sql`${end} > now()`, inArray(apiKeys.id, over));
  return db().select(shown).from(apiKeys).where(and(owned, listed)).orderBy(desc(apiKeys.id));
}

/** Finds unrevoked keys of any account by what an operator knows: the id or the last four characters. */
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
 * Revokes a key for good, effective with the next request. A concurrent submit either completes first or is refused.
 * Idempotent. `note` records who did it.
 */
export async function revokeApiKey(
  owner: string,
  keyId: string,
  note?: (revoked: ApiKey, tx: Tx) => Promise<void>,
): Promise<ApiKey> {
  if (!isUuid(keyId)) throw noSuchKey();
  const owned = and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, owner));
  return await transactionOf(owner, async tx => {
    await holdAccount(owner, tx, 'no key update');
    const [revoked] = await tx
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(and(owned, isNull(apiKeys.revokedAt)))
      .returning(shown);
    if (revoked) await note?.(revoked, tx);
    const [row] = revoked ? [revoked] : await tx.select(shown).from(apiKeys).where(owned);
    if (!row) throw noSuchKey();
    return row;
  });
}

const noSuchKey = () => new AppError('not_found', 'No such key on this account.');
