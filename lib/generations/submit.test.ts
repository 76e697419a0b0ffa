import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { readBalance } from '#lib/accounts/ledger';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { toRefusal } from '#lib/generations/admit';
import { submitGeneration } from '#lib/generations/submit';
import { makeInterlacedPng } from '#lib/media/hostile-test-media';
import { makeImage } from '#lib/media/media-test-files';
import { storage } from '#lib/storage/store';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-submit-'));
process.env.LOG_LEVEL = 'silent';

const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

const submit = (
  caller: Caller,
  image: string,
  more: { signal?: AbortSignal; idempotencyKey?: string | undefined } = {},
) =>
  submitGeneration({
    caller,
    architectureId: 'guava',
    body: () => Promise.resolve({ prompt: 'a pear', image }),
    ...more,
  });

async function keysOf({ accountId }: Caller): Promise<string[]> {
  const { rows } = await pool().query<{ key: string }>('select key from media where account_id = $1', [accountId]);
  return rows.map(({ key }) => key);
}

async function filesInStore(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage().list('')) found.push(key);
  return found;
}

test('the files of concurrent submits that are refused for lack of gems are deleted immediately', async () => {
  // two submits pass the admission before their files are read, but only one is accepted
  const caller = await accountWith(60);
  const pictures = await Promise.all(
    [64, 80, 96].map(async width => dataUrl(await makeImage(width, 64).png().toBuffer())),
  );
  const outcomes = await Promise.allSettled(pictures.map(picture => submit(caller, picture)));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: 'insufficient_gems' } });
  const keys = await keysOf(caller);
  expect(keys).toHaveLength(1);
  expect(await filesInStore()).toEqual(keys);
});

test('the files of a submit are deleted immediately if no engine serves its model any more', async () => {
  const caller = await accountWith(1_000);
  const before = await filesInStore();
  const settings = env();
  const was = settings.PREVIEW;
  const put = vi.spyOn(storage(), 'put').mockImplementationOnce((...file) => {
    settings.PREVIEW = 'off';
    return storage().put(...file);
  });
  onTestFinished(() => {
    settings.PREVIEW = was;
    put.mockRestore();
  });
  const submitted = submit(caller, dataUrl(await makeImage(64, 80).png().toBuffer()));
  await expect(submitted).rejects.toMatchObject({ code: 'architecture_not_found' });
  expect(put).toHaveBeenCalled();
  expect(await keysOf(caller)).toEqual([]);
  expect(await filesInStore()).toEqual(before);
});

/** Loses the responses of the database to the next `times` acceptances. */
function loseAnswers(times: number): void {
  const { query } = pool();
  const cut = vi.spyOn(pool(), 'query').mockImplementation(async (...asked: unknown[]) => {
    const answer: unknown = await Reflect.apply(query, pool(), asked);
    if ((asked[0] as { name?: string }).name !== 'accept_generation' || times-- === 0) return answer;
    throw new Error('Connection terminated unexpectedly');
  });
  onTestFinished(() => cut.mockRestore());
}

test.each([
  ['without a key', 1_000, undefined],
  ['under a key', 1_000, 'lost'],
  // the balance after the charge is too low for a second one
  ['whose balance is spent by it', 45, undefined],
])('a submit %s is accepted exactly once when the answer of the database is lost', async (_, gems, key) => {
  const caller = await accountWith(gems);
  loseAnswers(1);
  const submitted = await submit(caller, dataUrl(await makeImage(64, 96).png().toBuffer()), { idempotencyKey: key });
  const { accountId } = caller;
  expect(submitted).toMatchObject({ replayed: false, generation: { accountId, fetched: true } });
  expect(await readBalance(caller.accountId)).toBe(gems - submitted.generation.gems);
  const keys = await keysOf(caller);
  expect(keys).toHaveLength(1);
  expect(await filesInStore()).toEqual(expect.arrayContaining(keys));
});

test('the files of a submit are kept when it is unknown whether the submit was accepted', async () => {
  const caller = await accountWith(1_000);
  loseAnswers(2);
  const submitted = submit(caller, dataUrl(await makeImage(80, 96).png().toBuffer()));
  await expect(submitted).rejects.toThrow('Connection terminated');
  const keys = await keysOf(caller);
  expect(keys).toHaveLength(1);
  expect(await filesInStore()).toEqual(expect.arrayContaining(keys));
});

test('a client that disconnects before the submit is accepted is charged nothing', async () => {
  const caller = await accountWith(1_000);
  const leave = new AbortController();
  const submitted = submit(caller, dataUrl(makeInterlacedPng(4_000)), { signal: leave.signal });
  leave.abort(new Error('gone'));
  await expect(submitted).rejects.toThrow('gone');
  expect(await readBalance(caller.accountId)).toBe(1_000);
  expect(await keysOf(caller)).toEqual([]);
});

test('a client that has disconnected is charged nothing, even when no file has to be decoded', async () => {
  const caller = await accountWith(1_000);
  await submit(caller, dataUrl(await makeImage(8, 8).png().toBuffer()));
  const [known] = await keysOf(caller);
  const balance = await readBalance(caller.accountId);
  const submitted = submit(caller, storage().url(known!), { signal: AbortSignal.abort(new Error('gone')) });
  await expect(submitted).rejects.toThrow('gone');
  expect(await readBalance(caller.accountId)).toBe(balance);
});

test('a caller who cannot pay is refused without waiting for the lock of the account', async () => {
  const caller = await accountWith(1);
  const holder = await pool().connect();
  await holder.query('begin');
  await holder.query('select from accounts where id = $1 for no key update', [caller.accountId]);
  // a submit that waits for the account would be refused after five seconds, with a hint to retry
  const submitted = submitGeneration({ caller, architectureId: 'mango', body: async () => ({ prompt: 'a pear' }) });
  await expect(submitted).rejects.toMatchObject({ code: 'insufficient_gems' });
  await holder.query('rollback');
  holder.release();
});

test('a monthly budget below the amount already spent is reported as 0 gems left', async () => {
  const caller = { ...(await accountWith(1)), monthlyBudget: 2 };
  const { message } = toRefusal({ outcome: 'short_of_budget', available: -3 }, caller, { gems: 5 });
  expect(message).toContain('the monthly budget of 2 gems has 0 left');
});

test('a submit that a limit refuses replays what another process has accepted under its key meanwhile', async () => {
  const caller = await accountWith(1_000, { inFlightLimit: 1 });
  const picture = dataUrl(await makeImage(96, 80).png().toBuffer());
  const { generation } = await submit(caller, picture);
  const acceptElsewhere = async () => {
    const insert = `insert into submissions (scope, key, request_id) values ($1, 'key', $2)`;
    await pool().query(insert, [caller.keyId, generation.id]);
    return { prompt: 'a pear', image: picture };
  };
  const again = submitGeneration({ caller, architectureId: 'guava', idempotencyKey: 'key', body: acceptElsewhere });
  expect(await again).toMatchObject({ replayed: true, generation: { id: generation.id } });
});

test('a submit that a limit refuses is refused before its media are read', async () => {
  const caller = await accountWith(1_000);
  await pool().query('update accounts set in_flight_limit = 0 where id = $1', [caller.accountId]);
  const torn = (await makeImage(64, 64).png().toBuffer()).subarray(0, 100);
  await expect(submit(caller, dataUrl(torn))).rejects.toMatchObject({ code: 'too_many_requests' });
});

test.each(['https://', 'http://example.com/x.png', 'data:image/png;base64,!!!!', storage().url('upload/gone.png')])(
  'a caller who cannot pay is told that the image %s can never be used',
  async image => {
    await expect(submit(await accountWith(1), image)).rejects.toMatchObject({
      code: 'invalid_config',
      extra: { issues: [{ path: '/image' }] },
    });
  },
);
