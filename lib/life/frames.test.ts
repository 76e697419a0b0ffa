import { expect, test } from 'vitest';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { heldBy } from '#lib/life/claim';
import { finish } from '#lib/life/finish';
import { findFrames, forgetFrames, readFrame, writeFrames } from '#lib/life/frames';
import { failed, submitAndClaim } from '#lib/life/test-requests';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const caller = await accountWith(1_000_000);
const { accountId } = caller;

test('a live request shows its latest frame to its own account only, and a finished request shows none', async () => {
  const held = await submitAndClaim(caller);
  const frame = (text: string) => new Map([[held.id, { contentType: 'image/png', bytes: Buffer.from(text) }]]);
  await writeFrames(frame('first'));
  await writeFrames(frame('second'));
  expect(await readFrame(accountId, held.id)).toEqual({ contentType: 'image/png', bytes: Buffer.from('second') });
  expect(await readFrame(newId(), held.id)).toBeNull();
  await finish(heldBy(held), failed);
  expect(await readFrame(accountId, held.id)).toBeNull();
  await writeFrames(frame('late'));
  expect(await readFrame(accountId, held.id)).toBeNull();
});

test('a frame over 400 kB is dropped, and the one before stays', async () => {
  const held = await submitAndClaim(caller);
  const frame = (bytes: Buffer) => new Map([[held.id, { contentType: 'image/png', bytes }]]);
  await writeFrames(frame(Buffer.alloc(400_000)));
  await writeFrames(frame(Buffer.alloc(400_001)));
  expect((await readFrame(accountId, held.id))?.bytes).toHaveLength(400_000);
});

test('a frame that arrives while its request ends is not shown, and is deleted later', async () => {
  const held = await submitAndClaim(caller);
  const ending = await pool().connect();
  await ending.query('begin');
  await ending.query(`update requests set status = 'cancelled', worker = null, finished_at = now() where id = $1`, [
    held.id,
  ]);
  await writeFrames(new Map([[held.id, { contentType: 'image/png', bytes: Buffer.from('late') }]]));
  await ending.query('commit');
  ending.release();
  expect(await readFrame(accountId, held.id)).toBeNull();
  const live = await submitAndClaim(caller);
  await writeFrames(new Map([[live.id, { contentType: 'image/png', bytes: Buffer.from('live') }]]));
  expect(await forgetFrames()).toBe(1);
  expect([...(await findFrames([held.id, live.id])).keys()]).toEqual([live.id]);
});
