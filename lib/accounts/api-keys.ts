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

/** A key as it may be shown: all but the key itself, which nobody has but its holder. */
export type ApiKey = Omit<typeof apiKeys.$inferSelect, 'hash' | 'previousHash'>;

/** What a key may do and use; whatever is left out or null has no limit of its own. */
export interface NewApiKey {
  name: string;
  /** The app that acts by it: it gets tokens, and nobody the key. */
  app?: ConnectedApp;
  scopes?: Scope[] | null | undefined;
  expiresAt?: Date | null | undefined;
  /** Most gems in a calendar month (UTC). */
  monthlyBudget?: number | null | undefined;
  /** Most requests that are live at a time. */
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

/** Makes a key for the account. `key` is shown this once: only its hash is kept. Throws `quota_exceeded`. */
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

/** A new key, and what is stored of it. */
function newSecret() {
  const key = makeApiKey();
  const hash = parseApiKey(key);
  if (!hash) throw new Error('a new key does not pass its own check');
  return { key, hash, lastFour: key.slice(-4) };
}

/**
 * Gives a key another secret, which is shown this once. What it was before goes on working for so many hours, whatever it was
 * before that does not. Its budget, its idempotency keys and its history stay. Throws `not_found`, also for a key that is over,
 * and for what an app acts by, which nobody gets.
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

/** Gives a key another budget of gems in a calendar month (UTC), null for none of its own. Gives the key as it was, too. */
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

/** Of the keys of an account that are over so many are listed: whoever makes one with every deployment never stops. */
const OVER_LISTED = 100;

/** The account's keys, newest first, and of those that are revoked or expired the ones that were so last. */
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
 * changes nothing. `note` writes down who did.
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
