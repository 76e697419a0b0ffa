import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey, verifyApiKey, type Caller } from '#lib/accounts/api-keys';
import { checkLedger } from '#lib/accounts/ledger-check';
import { readBalance } from '#lib/accounts/ledger';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelGeneration } from '#lib/generations/cancel';
import { claimGeneration, reportProgress, saveEngineRef, type Claim } from '#lib/generations/claim';
import { getGeneration } from '#lib/generations/read';
import { settleGeneration } from '#lib/generations/settle';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { newMediaKey } from '#lib/storage/media-key';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const GEMS = 1_000_000;
let caller: Caller;
let accountId: string;

beforeAll(async () => {
  accountId = (await createAccount({ email: 'runner@example.com', gems: GEMS })).id;
  const { key } = await createApiKey(accountId, { name: 'test' });
  caller = (await verifyApiKey(key)) as Caller;
});

async function submit(): Promise<string> {
  const body = () => Promise.resolve({ prompt: 'dusk' });
  return (await submitGeneration({ caller, architectureId: 'z_image', body })).generation.id;
}

const claim = async (id: string): Promise<Claim> => (await claimGeneration(id)) as Claim;

const completed = () => ({
  status: 'completed' as const,
  result: {
    mediaId: newId(),
    key: newMediaKey('result', 'image/png'),
    contentType: 'image/png',
    bytes: 1,
    width: 1,
    height: 1,
    nsfw: false,
    expiresAt: new Date().toISOString(),
  },
});
const failed = { status: 'failed' as const, message: 'no', cause: 'test' };

test('whoever lost the claim writes nothing any more: no progress, no ref, no end, no refund', async () => {
  const id = await submit();
  const old = await claim(id);
  const fresh = await claim(id);
  const before = await readBalance(accountId);
  expect(await reportProgress(old, 0.5)).toBe(false);
  expect(await saveEngineRef(old, { id: 'old' })).toBe(false);
  expect(await settleGeneration(old, completed())).toBe(false);
  expect(await settleGeneration(old, failed)).toBe(false);
  expect(await getGeneration(accountId, id)).toMatchObject({ status: 'in_progress', progress: null, engineRef: null });
  expect(await settleGeneration(fresh, completed())).toBe(true);
  expect(await readBalance(accountId)).toBe(before);
});

test('a request ends once: a failure is refunded once, and nothing follows it', async () => {
  const before = await readBalance(accountId);
  const id = await submit();
  const held = await claim(id);
  expect(await settleGeneration(held, failed)).toBe(true);
  expect(await settleGeneration(held, failed)).toBe(false);
  expect(await settleGeneration(held, completed())).toBe(false);
  expect(await claimGeneration(id)).toBeNull();
  await expect(cancelGeneration(accountId, id)).rejects.toMatchObject({ code: 'request_finished' });
  expect(await readBalance(accountId)).toBe(before);
});

test('what was cancelled stays so, whatever its worker still brings', async () => {
  const id = await submit();
  const held = await claim(id);
  await cancelGeneration(accountId, id);
  expect(await settleGeneration(held, completed())).toBe(false);
  expect(await settleGeneration(held, failed)).toBe(false);
  expect(await getGeneration(accountId, id)).toMatchObject({ status: 'cancelled', result: null, refunded: false });
});

test('of many that settle at once one wins, and the books are whole', async () => {
  const id = await submit();
  const held = await claim(id);
  const ends = [completed(), failed, completed(), failed, completed(), failed];
  const won = await Promise.all(ends.map(end => settleGeneration(held, end)));
  expect(won.filter(Boolean)).toHaveLength(1);
  const broken = (await checkLedger()).filter(({ ok }) => !ok);
  expect(broken).toEqual([]);
});
