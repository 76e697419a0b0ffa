import pg from 'pg';
import { expect } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { databaseAddress } from '#lib/db/address';
import { pool } from '#lib/db/client';
import { listen } from '#lib/db/listen';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { claimGenerations, type Claim } from '#lib/life/claim';
import type { Ending } from '#lib/life/finish';
import { newMediaKey } from '#lib/storage/media-key';

// helpers for tests of the life of requests

/** Default worker of claims. */
export const WORKER = newId();

/** Submits a request of the caller and returns its id. */
export async function submit(caller: Caller): Promise<string> {
  const body = () => Promise.resolve({ prompt: 'dusk' });
  return (await submitGeneration({ caller, architectureId: 'z_image', body })).generation.id;
}

/** Submits several requests concurrently. `keyOf` returns the idempotency key of each, by default none. */
export const submitMany = (
  caller: Caller,
  count: number,
  keyOf: (at: number) => string | undefined = () => undefined,
) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, at) =>
      submitGeneration({
        caller,
        architectureId: 'z_image',
        idempotencyKey: keyOf(at),
        body: () => Promise.resolve({ prompt: `dusk ${at}` }),
      }),
    ),
  );

export const accepted = (outcomes: PromiseSettledResult<{ generation: { id: string } }>[]) =>
  outcomes.flatMap(one => (one.status === 'fulfilled' ? one.value.generation.id : []));

export async function claim(
  id: string,
  { server = 'preview/here', places = null as number | null, worker = WORKER } = {},
) {
  const [claimed] = await claimGenerations(worker, [{ id, engine: server.split('/')[0]!, server, places }]);
  return claimed ?? null;
}

export async function submitAndClaim(caller: Caller): Promise<Claim> {
  const claimed = await claim(await submit(caller));
  if (!claimed) throw new Error('not claimed');
  return claimed;
}

export const completed = (): Ending => ({
  status: 'completed',
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
export const failed: Ending = { status: 'failed', message: 'no', cause: 'test' };

export const expectWholeBooks = async () => expect((await checkLedger()).filter(({ ok }) => !ok)).toEqual([]);

/** Listens on a channel and collects its messages from now on. */
export async function hear(channel: string) {
  const told: string[] = [];
  const listener = listen(channel, word => told.push(word));
  await expect
    .poll(async () => {
      await pool().query(`select pg_notify('${channel}', 'ready')`);
      return told;
    })
    .toContain('ready');
  return { told, listener };
}

/** Begins a transaction on a separate connection. */
export async function begin(): Promise<pg.Client> {
  const client = new pg.Client(databaseAddress());
  await client.connect();
  await client.query('begin');
  return client;
}

/** Finds connections that wait for the asking transaction. pg_stat_activity would show a stale snapshot within it. */
export const WAITING = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';

/** Commits once another connection waits for the transaction. */
export async function commitWhenWaitedFor(client: pg.Client): Promise<void> {
  await expect.poll(async () => (await client.query(WAITING)).rowCount, { timeout: 20_000 }).toBeGreaterThan(0);
  await client.query('commit');
  await client.end();
}
