import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey } from '#lib/accounts/callers';
import { writeKeyUses } from '#lib/accounts/key-use';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { log, logOptions } from '#lib/log';
import { singleton } from '#lib/singleton';

await useOwnDatabase();

const lines: string[] = [];
singleton('log', () => pino({ ...logOptions, level: 'trace' }, { write: (line: string) => void lines.push(line) }));

test('no log line shows a key or its hash when operations on keys fail', async () => {
  const { id: accountId } = await createAccount({ email: 'ada@example.com' });
  const { id, key } = await createApiKey(accountId, { name: 'laptop' });
  await verifyApiKey(key);
  const acts = [
    () => writeKeyUses(),
    () => verifyApiKey(key),
    () => listApiKeys(accountId),
    () => createApiKey(accountId, { name: 'phone' }),
    () => rollApiKey(accountId, id, 1),
    () => revokeApiKey(accountId, id),
  ];
  await pool().query('alter table api_keys rename to hidden');
  for (const act of acts) await act().catch((err: unknown) => log().error({ err }, 'an act failed'));
  await pool().query('alter table hidden rename to api_keys');

  // one line per act: `writeKeyUses` logs its failure itself, the others throw
  expect(lines).toHaveLength(acts.length);
  const { rows } = await pool().query<{ hash: Buffer }>('select hash from api_keys where id = $1', [id]);
  const hash = rows[0]?.hash ?? Buffer.alloc(0);
  expect(hash).toHaveLength(32);
  for (const line of lines) {
    expect(line).toContain('api_keys');
    for (const secret of [key, key.slice(10, 30), hash.toString('hex'), hash.toString('base64')]) {
      expect(line).not.toContain(secret);
    }
  }
});
