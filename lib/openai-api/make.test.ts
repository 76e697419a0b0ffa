import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { readBalance } from '#lib/accounts/ledger';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { submitAll } from '#lib/openai-api/make';
import { getModel } from '#lib/openai-api/models';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-make-'));
process.env.LOG_LEVEL = 'silent';

/** Somebody with so many gems, who asks for pictures of ten each. */
async function open(gems: number) {
  const { id } = await createAccount({ email: `${newId()}@example.com`, gems });
  const caller = (await verifyApiKey((await createApiKey(id, { name: 'test' })).key)) as Caller;
  const ask = async (n: number, key?: string) => {
    const headers: HeadersInit = key === undefined ? {} : { 'idempotency-key': key };
    const request = new Request('http://localhost/openai/v1/images/generations', { headers });
    const made = await submitAll({
      caller,
      architecture: getModel('z_image'),
      config: { prompt: 'a pear' },
      n,
      request,
    });
    return made.map(({ id }) => id);
  };
  return { ask, balance: () => readBalance(id) };
}

test.each(['', 'k'.repeat(256)])(
  'a key of another length than the API takes is refused, and nothing is paid',
  async key => {
    const { ask, balance } = await open(100);
    await expect(ask(2, key)).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { issues: [{ path: '/idempotency-key' }] },
    });
    expect(await balance()).toBe(100);
    expect(await ask(2, 'k'.repeat(255))).toHaveLength(2);
  },
);
