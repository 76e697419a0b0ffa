import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey, type Caller } from '#lib/accounts/callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { claimGenerations, type Claim } from '#lib/life/claim';
import { storage } from '#lib/storage/store';
import { runGeneration } from '#lib/worker/run';
import { serverOf, type ScriptedEngine } from '#lib/worker/scripted-test-engine';

export const WORKER = newId();
const FOREVER = new AbortController().signal;
export const QUIET = { stop: FOREVER, drain: FOREVER, onSnapshot: () => undefined };
/** Matches the `notBefore` of a request whose next try waits. */
export const PAUSE: unknown = expect.any(Date);

/** Sets up a test file, before anything else: its own database, a data folder and an account that submits. */
export async function setRunStage() {
  await useOwnDatabase();
  process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-run-'));
  process.env.LOG_LEVEL = 'silent';
  const { id: accountId } = await createAccount({ email: 'runner@example.com', gems: 1_000_000 });
  const caller = (await verifyApiKey((await createApiKey(accountId, { name: 'test' })).key)) as Caller;
  const body = () => Promise.resolve({ prompt: 'dusk \\@noon' });

  return {
    caller,
    submit: async (architectureId = 'z_image') =>
      (await submitGeneration({ caller, architectureId, body })).generation.id,
    read: (id: string) => getGeneration(accountId, id),
    run: (engine: ScriptedEngine, claimed: Claim, options: Partial<typeof QUIET> = {}) =>
      runGeneration(claimed, serverOf(engine), { ...QUIET, ...options }),
    async claim(id: string, server = 'scripted/1'): Promise<Claim> {
      await pool().query('update requests set not_before = null where id = $1', [id]);
      const [claimed] = await claimGenerations(WORKER, [{ id, engine: 'scripted', server, places: null }]);
      if (!claimed) throw new Error('not claimed');
      return claimed;
    },
    /** Returns the keys of all stored files. */
    async files() {
      const keys = [];
      for await (const { key } of storage().list('')) keys.push(key);
      return keys;
    },
  };
}
