import { expect, test } from 'vitest';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import type { Caller } from '#lib/accounts/callers';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { findRequests, stopRequest } from '#lib/generations/oversee';
import { getGeneration } from '#lib/generations/read';
import { failed, submit, submitAndClaim } from '#lib/life/test-requests';
import { heldBy } from '#lib/life/claim';
import { finish } from '#lib/life/finish';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const caller = await accountWith(1_000_000);
const { accountId } = caller;
const actsOf = async (id: string) =>
  (await listAudit({ accountId })).data.filter(({ subject }) => subject === id).map(({ act, after }) => [act, after]);

test('an operator who stops a request several times causes one audit entry', async () => {
  const id = await submit(caller);
  const stop = () => stopRequest(COMMAND_LINE, id);
  const answers = [...(await Promise.all([stop(), stop(), stop()])), await stop()];
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('cancelled'));
  expect(await actsOf(id)).toEqual([['request.cancel', { status: 'cancelled' }]]);
});

test('a request is not stopped when the audit entry cannot be written', async () => {
  const id = await submit(caller);
  // Postgres refuses null characters in text
  await expect(stopRequest({ id: null, name: '\0' }, id)).rejects.toThrow();
  expect(await getGeneration(accountId, id)).toMatchObject({ finishedAt: null });
});

test('stopping a request that has already failed is refused and leaves no audit entry', async () => {
  const held = await submitAndClaim(caller);
  await finish(heldBy(held), failed);
  await expect(stopRequest(COMMAND_LINE, held.id)).rejects.toMatchObject({ code: 'request_finished' });
  expect(await actsOf(held.id)).toEqual([]);
});

/** Submits a request, and sets its status and the time of its last update, in minutes before now. */
async function heardOf(caller: Caller, status: 'queued' | 'in_progress', minutes: number): Promise<string> {
  const id = await submit(caller);
  await pool().query(`update requests set status = $2, updated_at = now() - $3 * interval '1 minute' where id = $1`, [
    id,
    status,
    minutes,
  ]);
  return id;
}

const stuck = async (accountId?: string) =>
  (await findRequests({ view: 'stuck', accountId, limit: 50 })).data.map(({ request_id }) => request_id);

test('requests are stuck after 5 minutes in progress without an update, or 10 queued, in all accounts or one', async () => {
  const callers = [await accountWith(1_000), await accountWith(1_000)];
  const made: string[] = [];
  for (const caller of callers) {
    await heardOf(caller, 'in_progress', 4);
    made.unshift(await heardOf(caller, 'in_progress', 6));
    await heardOf(caller, 'queued', 9);
    made.unshift(await heardOf(caller, 'queued', 11));
  }
  expect(await stuck()).toEqual(made);
  expect(await stuck(callers[0]!.accountId)).toEqual(made.slice(2));
});

test('an operator sees requests newest first, page by page', async () => {
  const { accountId } = await accountWith(1_000);
  const caller = await accountWith(1_000);
  const made = [await submit(caller), await submit(caller), await submit(caller)].toReversed();
  const page = async (cursor?: string, of = caller.accountId) => {
    const { data, nextCursor } = await findRequests({ view: 'all', accountId: of, limit: 2, cursor });
    return { ids: data.map(({ request_id }) => request_id), nextCursor };
  };
  const first = await page();
  expect(first.ids).toEqual(made.slice(0, 2));
  expect(await page(first.nextCursor!)).toEqual({ ids: made.slice(2), nextCursor: null });
  expect(await page(undefined, accountId)).toEqual({ ids: [], nextCursor: null });
});

test('an operator sees how a request ran and why it failed', async () => {
  const caller = await accountWith(1_000);
  const held = await submitAndClaim(caller);
  const read = async () => (await findRequests({ view: 'all', accountId: caller.accountId, limit: 1 })).data[0];
  const since = { created_at: held.createdAt.toISOString(), started_at: held.startedAt!.toISOString() };
  expect(await read()).toMatchObject({
    ...since,
    status: held.status,
    attempt: 1,
    finished_at: null,
    preview_url: null,
  });
  await finish(heldBy(held), failed);
  expect(await read()).toMatchObject({
    ...since,
    status: 'failed',
    attempt: 1,
    finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
    error: 'no',
    failure_cause: 'test',
  });
});
