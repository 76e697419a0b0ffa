import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import type { Server } from '#lib/engines/server';
import { newId } from '#lib/ids';
import { SILENCE_MS } from '#lib/life/claim';
import { startPresence } from '#lib/worker/presence';
import { scriptedEngine, serverOf } from '#lib/worker/scripted-test-engine';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Starts the presence of a worker with a fake clock. */
async function begin(...own: Server[]) {
  const beats: number[] = [];
  const presence = await startPresence(newId(), own, async (_held, askedAt) => void beats.push(askedAt));
  /** Advances the clock, and waits for each heartbeat. */
  const pass = async (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      const heard = beats.length;
      vi.advanceTimersByTime(3_000);
      await expect.poll(() => beats.length).toBe(heard + 1);
    }
  };
  return { presence, beats, pass };
}

test.each([
  ['answers all late', false],
  ['breaks one off', true],
])('after a database that %s, a worker is unsteady until the others had time for a heartbeat', async (_, breaksOff) => {
  const { presence, beats, pass } = await begin();
  await pass(SILENCE_MS);
  expect(presence.isSteady()).toBe(true);
  const { query } = pool();
  const stall = Promise.withResolvers<void>();
  const asked = vi.spyOn(pool(), 'query').mockImplementation(async (...args: unknown[]) => {
    if (breaksOff && asked.mock.calls.length === 2) throw new Error('gone');
    await stall.promise;
    return Reflect.apply(query, pool(), args);
  });
  onTestFinished(() => asked.mockRestore());
  const heard = beats.length;
  vi.advanceTimersByTime(15_000);
  expect(presence.isSteady()).toBe(false);
  stall.resolve();
  await expect.poll(() => beats.length).toBe(heard + (breaksOff ? 4 : 5));
  asked.mockRestore();
  expect(presence.isSteady()).toBe(false);
  await pass(SILENCE_MS);
  expect(presence.isSteady()).toBe(true);
  await presence.stop();
});

test('after a failed heartbeat, a worker is unsteady until the others had time for a heartbeat', async () => {
  const { presence, pass } = await begin();
  expect(presence.isSteady()).toBe(false);
  await pass(SILENCE_MS);
  expect(presence.isSteady()).toBe(true);

  const asked = vi.spyOn(pool(), 'query').mockRejectedValueOnce(new Error('gone'));
  vi.advanceTimersByTime(3_000);
  await expect.poll(() => asked.mock.settledResults.at(-1)?.type).toBe('rejected');
  asked.mockRestore();
  await pass(3_000);
  expect(presence.isSteady()).toBe(false);
  await pass(SILENCE_MS);
  expect(presence.isSteady()).toBe(true);
  await presence.stop();
});

test('a worker that was removed during a long outage registers its servers again', async () => {
  const { presence, pass } = await begin(serverOf(scriptedEngine()));
  const servers = async () => (await pool().query('select id, places from servers')).rows;
  await pool().query('delete from workers');
  expect(await servers()).toEqual([]);
  // the connection fails again before the servers are written
  const { query } = pool();
  const asked = vi.spyOn(pool(), 'query').mockImplementation(async (...args: unknown[]) => {
    if (String(args[0]).includes('insert into servers')) throw new Error('gone');
    return Reflect.apply(query, pool(), args);
  });
  vi.advanceTimersByTime(3_000);
  await expect.poll(() => asked.mock.settledResults.at(-1)?.type).toBe('rejected');
  asked.mockRestore();
  expect(await servers()).toEqual([]);
  await pass(3_000);
  expect(await servers()).toEqual([{ id: 'scripted/1', places: 1 }]);
  await presence.stop();
});
