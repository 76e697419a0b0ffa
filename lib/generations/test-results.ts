import { beforeEach } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { pool } from '#lib/db/client';
import { lowestIdAt, newId } from '#lib/ids';

// fixtures for tests of results: each test gets two new accounts

export const DAY = 86_400_000;

const openAccount = async (): Promise<string> => (await createAccount({ email: `${newId()}@example.com` })).id;

export let accountId: string;
export let other: string;
beforeEach(async () => {
  [accountId, other] = [await openAccount(), await openAccount()];
});

/** Properties of a result that differ from the defaults. */
interface Made {
  bytes?: number;
  /** Size of the only rendition; 0 for none. */
  previewBytes?: number;
  daysAgo?: number;
  prompt?: string;
}

/** Inserts a completed request without an actual file, and returns its id. */
export async function make(
  { bytes = 100, previewBytes = 0, daysAgo = 0, prompt = 'a fig' }: Made = {},
  owner = accountId,
): Promise<string> {
  const createdAt = new Date(Date.now() - daysAgo * DAY);
  const expiresAt = new Date(createdAt.getTime() + 30 * DAY);
  const id = lowestIdAt(createdAt).slice(0, 13) + newId().slice(13);
  const store = async (kind: string, size: number) => {
    const file = { mediaId: newId(), key: `${kind}/${newId()}.png`, contentType: 'image/png', bytes: size };
    await pool().query(
      `insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [file.mediaId, owner, kind, file.key, file.contentType, size, id, expiresAt],
    );
    return { ...file, width: 8, height: 8 };
  };
  const renditions = previewBytes ? [await store('preview', previewBytes)] : [];
  const result = { ...(await store('result', bytes)), nsfw: false, expiresAt, renditions };
  const config = { prompt, aspect_ratio: '1:1', image: 'https://pomona.example/media/input/secret.png' };
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems, result, created_at, finished_at)
    values ($1, $2, 'completed', 'mango', 'mango-v3', 'image', 'none', $3, '{}', $4, 1, '{}', 1, $5, $6, $6)`,
    [id, owner, prompt, JSON.stringify(config), JSON.stringify(result), createdAt],
  );
  return id;
}
