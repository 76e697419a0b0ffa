import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { getAccount } from '#lib/accounts/accounts';
import type { Caller } from '#lib/accounts/callers';
import { readBalance } from '#lib/accounts/ledger';
import { accountWith } from '#lib/accounts/test-callers';
import { db, pool } from '#lib/db/client';
import { refusals, submissions } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { AppError } from '#lib/errors';
import { deleteAccount } from '#lib/generations/delete-account';
import { listGenerations } from '#lib/generations/list';
import { submitGeneration, type Submitted } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { findRefusal, recordRefusal } from '#lib/life/refusals';
import { forgetRefusals } from '#lib/retention/forget-refusals';
import { accepted, begin, commitWhenWaitedFor, expectWholeBooks, submit, submitMany } from '#lib/life/test-requests';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

/** Begins a submit with an idempotency key whose body has not arrived yet. */
async function openSubmit(who: Caller, architectureId = 'z_image') {
  const [asked, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<Record<string, unknown>>()];
  const body = () => {
    asked.resolve();
    return sent.promise;
  };
  const under = { caller: who, architectureId, idempotencyKey: 'met' };
  const first = submitGeneration({ ...under, body });
  await asked.promise;
  return {
    first,
    send: sent.resolve,
    again: (body: object) => submitGeneration({ ...under, body: async () => ({ ...body }) }),
  };
}

/** Accepts a request under the same key, as another process would. */
async function acceptElsewhere(who: Caller): Promise<string> {
  const id = await submit(who);
  await pool().query(`insert into submissions (scope, key, request_id) values ($1, 'met', $2)`, [who.keyId, id]);
  return id;
}

/** Records the maximum number of refusals of an hour. */
const refuseOften = (who: Caller) =>
  pool().query(
    `insert into refusals (request_id, account_id, architecture, model_id, type, prompt, status, body)
    select gen_random_uuid(), $1, 'z_image', 'z', 'image', '', 403, '' from generate_series(1, 300)`,
    [who.accountId],
  );

test('concurrent submits with the same idempotency key create one request', async () => {
  const who = await accountWith(10_000);
  const outcomes = await submitMany(who, 12, at => `key ${Math.floor(at / 4)}`);
  expect(accepted(outcomes)).toHaveLength(12);
  expect(new Set(accepted(outcomes)).size).toBe(3);
  expect(await readBalance(who.accountId)).toBe(10_000 - 30);
  await expectWholeBooks();
});

test.each([
  ['that is accepted', { prompt: 'dusk' }, { replayed: true }],
  ['that is refused for good', { prompt: 'nude child' }, { code: 'content_blocked' }],
])('concurrent submits with the idempotency key of a submit %s get its answer', async (_, given, answer) => {
  const { first, send, again } = await openSubmit(await accountWith(10_000));
  const others = [{}, { prompt: 'nude child' }, { prompt: 'dawn' }].map(again);
  send(given);
  const [told, ...same] = await Promise.all([first, ...others].map(one => one.catch((error: unknown) => error)));
  for (const one of same) expect(one).toMatchObject(answer);
  const idOf = (one: unknown) => (one instanceof AppError ? one.extra.request_id : (one as Submitted).generation.id);
  expect(new Set(same.map(idOf))).toEqual(new Set([idOf(told)]));
});

test('a refusal that can be corrected leaves the idempotency key to the next waiting submit', async () => {
  const { first, send, again } = await openSubmit(await accountWith(10_000));
  const next = again({ prompt: 'dusk' });
  send({});
  await expect(first).rejects.toMatchObject({ code: 'invalid_config' });
  expect(await next).toMatchObject({ replayed: false });
});

test('a submit returns the refusal that another process recorded under its key meanwhile', async () => {
  const who = await accountWith(10_000);
  const { first, send } = await openSubmit(who);
  const facts = { accountId: who.accountId, architecture: 'z_image', modelId: 'z', type: 'image', prompt: '' } as const;
  const requestId = newId();
  const refusal = new AppError('content_blocked', 'no', { request_id: requestId });
  await recordRefusal({ id: who.keyId!, key: 'met' }, { requestId, ...facts }, refusal);
  send({ prompt: 'dusk' });
  await expect(first).rejects.toMatchObject({ code: 'content_blocked', extra: { request_id: requestId } });
  expect(await readBalance(who.accountId)).toBe(10_000);
});

test('a refusal can be read by its id, and only by its own account', async () => {
  const [who, other] = [await accountWith(10), await accountWith(10)];
  const facts = { accountId: who.accountId, architecture: 'z_image', modelId: 'z', type: 'image', prompt: '' } as const;
  const ids = [newId(), newId()];
  for (const requestId of ids)
    await recordRefusal(
      { id: newId(), key: undefined },
      { requestId, ...facts },
      new AppError('content_blocked', 'no'),
    );
  for (const requestId of ids) {
    expect(await findRefusal(who.accountId, requestId)).toMatchObject({ requestId });
    expect(await findRefusal(other.accountId, requestId)).toBeNull();
  }
});

test('a refusal can be read, and is repeated under its idempotency key, for 24 hours', async () => {
  const who = await accountWith(0);
  const refuse = async (idempotencyKey: string) => {
    const submit = { caller: who, architectureId: 'z_image', idempotencyKey, body: async () => ({ prompt: 'dusk' }) };
    const refused = (await submitGeneration(submit).catch((error: unknown) => error)) as AppError;
    return String(refused.extra.request_id);
  };
  const [old, young] = [await refuse('old'), await refuse('young')];
  for (const [id, hours] of [
    [old, 24.1],
    [young, 23.9],
  ])
    for (const table of ['refusals', 'submissions'])
      await pool().query(
        `update ${table} set created_at = created_at - $2::float * interval '1 hour' where request_id = $1`,
        [id, hours],
      );
  expect(await forgetRefusals()).toBe(1);
  expect(await findRefusal(who.accountId, old)).toBeNull();
  expect(await refuse('young')).toBe(young);
  expect(await refuse('old')).not.toBe(old);
});

test('a submit returns the refusal that another process records under its key during the acceptance', async () => {
  const who = await accountWith(10_000);
  const [requestId, held, refused] = [newId(), await begin(), await begin()];
  await held.query('select from accounts where id = $1 for no key update', [who.accountId]);
  await refused.query(`insert into submissions (scope, key, request_id) values ($1, 'met', $2)`, [
    who.keyId,
    requestId,
  ]);
  await refused.query(
    `insert into refusals (request_id, account_id, architecture, model_id, type, prompt, status, body)
    values ($1, $2, 'z_image', 'z', 'image', '', 403, $3)`,
    [requestId, who.accountId, JSON.stringify({ error: { code: 'content_blocked', message: 'no' } })],
  );
  const submitted = submitMany(who, 1, () => 'met');
  await commitWhenWaitedFor(held);
  await commitWhenWaitedFor(refused);
  expect(await submitted).toMatchObject([{ reason: { code: 'content_blocked', message: 'no' } }]);
  expect(await readBalance(who.accountId)).toBe(10_000);
  await expectWholeBooks();
});

test('a refusal is not recorded under a key that another process answers at the same time', async () => {
  const who = await accountWith(10_000);
  const other = await begin();
  await other.query(`insert into submissions (scope, key, request_id) values ($1, 'met', $2)`, [who.keyId, newId()]);
  const facts = { accountId: who.accountId, architecture: 'z_image', modelId: 'z', type: 'image', prompt: '' } as const;
  const refusal = new AppError('content_blocked', 'no');
  const recorded = recordRefusal({ id: who.keyId!, key: 'met' }, { requestId: newId(), ...facts }, refusal);
  await commitWhenWaitedFor(other);
  expect(await recorded).toBe('answered');
});

test('a submit returns the answer of another process under its key even if its account has too many refusals', async () => {
  const who = await accountWith(10_000);
  const { first, send } = await openSubmit(who);
  await refuseOften(who);
  const id = await acceptElsewhere(who);
  send({ prompt: 'nude child' });
  expect(await first).toMatchObject({ replayed: true, generation: { id } });
});

test('refusals above the hourly limit of an account are not recorded, and leave their idempotency key free', async () => {
  const who = await accountWith(10_000);
  const under = (prompt: string) =>
    submitGeneration({
      caller: who,
      architectureId: 'z_image',
      idempotencyKey: 'often',
      body: async () => ({ prompt }),
    });
  await refuseOften(who);
  // no request id is returned, since no refusal could be read by it
  const unnamed = expect.not.objectContaining({ request_id: expect.any(String) });
  await expect(under('nude child')).rejects.toMatchObject({ code: 'content_blocked', extra: unnamed });
  expect(await db().$count(submissions, eq(submissions.scope, who.keyId!))).toBe(0);
  expect(await db().$count(refusals, eq(refusals.accountId, who.accountId))).toBe(300);
  // refusals older than an hour do not count
  await pool().query(`update refusals set created_at = now() - interval '61 minutes' where account_id = $1`, [
    who.accountId,
  ]);
  await expect(under('nude child')).rejects.toMatchObject({ extra: { request_id: expect.any(String) } });
  await expect(under('dusk')).rejects.toMatchObject({ code: 'content_blocked' });
});

test.each([
  ['a limit in flight that it filled itself', { prompt: 'a pear', image: 'https://nobody.invalid/' }],
  ['a body that is wrong', { prompt: 5 }],
])('a submit whose key another process answered meanwhile returns that answer despite %s', async (_, body) => {
  const who = await accountWith(10_000, { inFlightLimit: 1 });
  const { first, send } = await openSubmit(who, 'guava');
  const id = await acceptElsewhere(who);
  send(body);
  expect(await first).toMatchObject({ replayed: true, generation: { id } });
});

test('a submit whose key another process answered meanwhile returns that answer despite an error in reading its body', async () => {
  const who = await accountWith(10_000);
  const id = Promise.withResolvers<string>();
  const body = async () => {
    id.resolve(await acceptElsewhere(who));
    throw new AppError('insufficient_gems', 'no');
  };
  const answer = await submitGeneration({ caller: who, architectureId: 'z_image', idempotencyKey: 'met', body });
  expect(answer).toMatchObject({ replayed: true, generation: { id: await id.promise } });
});

test('requests are listed in the order of their acceptance, not in the order in which their submits began', async () => {
  const who = await accountWith(10_000);
  const { first, send } = await openSubmit(who);
  const earlier = await submit(who);
  send({ prompt: 'dusk' });
  const later = (await first).generation.id;
  const { data } = await listGenerations(who.accountId, { limit: 9 });
  expect(data.map(({ id }) => id)).toEqual([later, earlier]);
});

test('a refusal is still returned, but not recorded, if its account is deleted meanwhile', async () => {
  const who = await accountWith(10_000);
  const { first, send } = await openSubmit(who);
  const account = await getAccount(who.accountId);
  await deleteAccount(account, account.email);
  send({ prompt: 'nude child' });
  // without a request id, under which nothing could be read
  await expect(first).rejects.toEqual(expect.objectContaining({ code: 'content_blocked', extra: {} }));
  expect(await db().$count(refusals, eq(refusals.accountId, who.accountId))).toBe(0);
  expect(await db().$count(submissions, eq(submissions.scope, who.keyId!))).toBe(0);
});
