import { sql, type SQL } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { holdAccount } from '#lib/db/hold-account';
import { keyLives } from '#lib/db/live-key';
import {
  apiKeys,
  characters,
  collections,
  media,
  presets,
  references,
  requests,
  shares,
  uploads,
  webhooks,
} from '#lib/db/schema';
import { env } from '#lib/env';
import { LIMIT_METRIC, LIMIT_NAMES, LIMITS, overLimit, timesReached, type LimitName } from '#lib/limits';

interface Quota {
  /** Name shown to the owner of the account. */
  name: string;
  /** SQL for how much the account uses. */
  used: (accountId: string) => SQL;
  /** Message of the refusal: what is full, and how to make room. */
  full: string;
}

/** Limits of what an account may keep. Deleted and expired items do not count, so deleting makes room immediately. */
const QUOTAS = {
  LIMIT_STORED_BYTES: {
    name: 'Storage: uploads, files given to models, characters, references and kept results',
    used: id => sql`select (select coalesce(sum(${media.bytes}), 0) from ${media}
        where ${media.accountId} = ${id} and ${media.deletedAt} is null and ${media.kind} in ('upload', 'input', 'entity')
          and (${media.expiresAt} is null or ${media.expiresAt} > now()))
      + (select coalesce(sum(${media.bytes}), 0) from ${media} join ${requests} on ${requests.id} = ${media.requestId}
        where ${requests.accountId} = ${id} and ${requests.kept} and ${media.deletedAt} is null
          and ${media.kind} in ('result', 'preview'))`,
    full: 'The account has no room. Delete uploads, requests with files, kept results, characters or references.',
  },
  LIMIT_UPLOADS: {
    name: 'Uploads',
    used: id => sql`select count(*) from ${uploads}
      where ${uploads.accountId} = ${id} and ${uploads.deletedAt} is null
        and (${uploads.readyAt} is not null or ${uploads.putExpiresAt} > now())`,
    full: 'The account has reached its limit of uploads. Delete some, or wait until open tickets expire.',
  },
  LIMIT_KEYS: {
    name: 'API keys',
    used: id => sql`select count(*) from ${apiKeys}
      where ${apiKeys.accountId} = ${id} and ${sql.raw(keyLives())}`,
    full: 'The account has reached its limit of API keys. Revoke one that is not used.',
  },
  LIMIT_COLLECTIONS: {
    name: 'Collections',
    used: id => sql`select count(*) from ${collections} where ${collections.accountId} = ${id}`,
    full: 'The account has reached its limit of collections. Delete one that is not needed.',
  },
  LIMIT_SHARES: {
    name: 'Shared pages',
    used: id => sql`select count(*) from ${shares} where ${shares.accountId} = ${id}`,
    full: 'The account has reached its limit of shared pages. Stop sharing one that is not needed.',
  },
  LIMIT_PRESETS: {
    name: 'Presets and styles',
    used: id => sql`select count(*) from ${presets} where ${presets.accountId} = ${id}`,
    full: 'The account has reached its limit of presets and styles. Delete one that is not needed.',
  },
  LIMIT_WEBHOOKS: {
    name: 'Webhooks',
    used: id =>
      sql`select count(*) from ${webhooks} where ${webhooks.accountId} = ${id} and ${webhooks.url} is not null`,
    full: 'The account has reached its limit of webhooks. Delete one that is not needed.',
  },
  LIMIT_CAST: {
    name: 'Characters and references',
    used: id => sql`select (select count(*) from ${characters} where ${characters.accountId} = ${id})
      + (select count(*) from ${references} where ${references.accountId} = ${id})`,
    full: 'The account has reached its limit of characters and references. Delete some.',
  },
} as const satisfies Record<`LIMIT_${string}`, Quota>;

type QuotaName = keyof typeof QUOTAS;

/**
 * Throws `quota_exceeded` unless the account has room for `more`. In a transaction it locks the account until the end,
 * so that concurrent requests cannot exceed the quota together; without a transaction it is only an early check.
 */
export async function requireRoom(accountId: string, quota: QuotaName, more: number, tx?: Tx): Promise<void> {
  if (tx) await holdAccount(accountId, tx, 'no key update');
  const { rows } = await (tx ?? db()).execute<{ used: number }>(
    sql`select (${QUOTAS[quota].used(accountId)})::float8 as used`,
  );
  if ((rows[0]?.used ?? 0) + more > env()[quota]) throw overLimit(quota, QUOTAS[quota].full);
}

/** Returns each quota of an account with its limit and current use. */
export async function readQuotas(accountId: string) {
  const names = Object.keys(QUOTAS) as QuotaName[];
  const columns = names.map(name => sql`(${QUOTAS[name].used(accountId)})::float8 as ${sql.identifier(name)}`);
  const { rows } = await db().execute<Record<QuotaName, number>>(sql`select ${sql.join(columns, sql`, `)}`);
  return names.map(name => ({ ...describeLimit(name), about: QUOTAS[name].name, used: rows[0]?.[name] ?? 0 }));
}

/** Describes a limit for the owner of an account. */
const describeLimit = (name: LimitName) => ({
  setting: name,
  about: LIMITS[name].about,
  unit: LIMITS[name].unit,
  most: env()[name],
});

/** Lists every limit of the deployment for an operator. */
export const listLimits = () =>
  LIMIT_NAMES.map(name => {
    const { of, fallback, error } = LIMITS[name];
    const metric = `${LIMIT_METRIC}{limit="${name}"}`;
    return { ...describeLimit(name), of, fallback, error, metric, reached: timesReached(name) };
  });
