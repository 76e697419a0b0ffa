import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelGeneration } from '#lib/generations/cancel';
import { newId } from '#lib/ids';
import { saveEngineRef } from '#lib/life/claim';
import { finish } from '#lib/life/finish';
import { dropTask, postponeTask, takeTasks, type Task } from '#lib/life/outbox';
import { begin, completed, submitAndClaim } from '#lib/life/test-requests';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const caller = await accountWith(1_000_000);
const { accountId } = caller;

beforeEach(() => pool().query('delete from outbox'));

test('an end creates an outbox task only if it leaves an unfinished job at an engine', async () => {
  const [cancelled, done] = [await submitAndClaim(caller), await submitAndClaim(caller)];
  const unsent = await submitAndClaim(caller);
  for (const held of [cancelled, done]) await saveEngineRef(held, { id: 'job' });
  await pool().query(`update requests set engine = 'gpu' where id = any($1)`, [[cancelled.id, done.id, unsent.id]]);
  for (const { id } of [cancelled, unsent]) await cancelGeneration(accountId, id);
  await finish(eq(requests.id, done.id), completed());
  const tasks = await takeTasks('engine', 10);
  expect(tasks).toMatchObject([{ subjectId: cancelled.id, attempts: 1 }]);
  // a leased task is not taken again
  expect(await takeTasks('engine', 10)).toEqual([]);
  await postponeTask(tasks[0]!, tasks[0]!.attempts, 60);
  expect(await takeTasks('engine', 10)).toEqual([]);
  await pool().query('update outbox set due_at = default');
  expect(await takeTasks('engine', 10)).toMatchObject([{ attempts: 2 }]);
  await dropTask(tasks[0]!);
  await pool().query('update outbox set due_at = default');
  expect(await takeTasks('engine', 10)).toEqual([]);
});

test('tasks of one request are done in their order, independently of the tasks of other consumers', async () => {
  const id = newId();
  const tasks = `insert into outbox (consumer, request_id) values ('engine', $1), ('engine', $1), ('runs', $1)`;
  await pool().query(tasks, [id]);
  const [first, ...more] = await takeTasks('engine', 10);
  expect(more).toEqual([]);
  expect(await takeTasks('runs', 10)).toHaveLength(1);
  await pool().query('update outbox set due_at = default');
  // a process with the task in progress takes neither that task nor the next one with the same subject
  expect(await takeTasks('engine', 10, [first!.id])).toEqual([]);
  await dropTask(first!);
  expect(await takeTasks('engine', 10)).toHaveLength(1);
});

test('the task that has been due for the longest time is taken first', async () => {
  const [recent, old] = [newId(), newId()];
  const owe = `insert into outbox (consumer, request_id, due_at) values ('runs', $1, now() - $2 * interval '1 minute')`;
  await pool().query(owe, [recent, 1]);
  await pool().query(owe, [old, 2]);
  for (const subjectId of [old, recent]) expect(await takeTasks('runs', 1)).toMatchObject([{ subjectId }]);
});

test('a task with the highest possible attempt count is still taken, and blocks no other task', async () => {
  const [often, other] = [newId(), newId()];
  const owe = `insert into outbox (consumer, request_id, attempts) values ('runs', $1, $2)`;
  await pool().query(owe, [often, 32_767]);
  await pool().query(owe, [other, 0]);
  expect((await takeTasks('runs', 10)).map(({ subjectId }) => subjectId).toSorted()).toEqual([often, other].toSorted());
});

test('cancellations for a server that does not answer wait, without delaying those for other servers', async () => {
  const id = newId();
  await pool().query(`insert into servers (id, engine, places, ok) values ('gpu/dead', 'gpu', 1, false)`);
  for (const server of ['gpu/dead', 'gpu/alive', 'gpu/gone'])
    await pool().query(`insert into outbox (consumer, request_id, job) values ('engine', $1, $2)`, [id, { server }]);
  const taken = async () => (await takeTasks('engine', 10)).map(({ job }) => job?.server).toSorted();
  expect(await taken()).toEqual(['gpu/alive', 'gpu/gone']);
  await pool().query(`update servers set ok = true where id = 'gpu/dead'`);
  expect(await taken()).toEqual(['gpu/dead']);
});

test('a process cancels at most four jobs of one server at the same time, without delaying other servers', async () => {
  const owe = `insert into outbox (consumer, request_id, job) values ('engine', gen_random_uuid(), $1)`;
  for (let n = 0; n < 5; n++) await pool().query(owe, [{ server: 'gpu/slow' }]);
  const [first, ...more] = await takeTasks('engine', 4);
  expect(more).toHaveLength(3);
  await pool().query(owe, [{ server: 'gpu/quick' }]);
  const taken = async (underWay: Task[]) =>
    (
      await takeTasks(
        'engine',
        10,
        underWay.map(({ id }) => id),
      )
    ).map(({ job }) => job?.server);
  expect(await taken([first!, ...more])).toEqual(['gpu/quick']);
  expect(await taken(more)).toEqual(['gpu/slow']);
});

test('a task that another worker is taking is skipped without waiting', async () => {
  await pool().query(`insert into outbox (consumer, request_id) values ('runs', gen_random_uuid())`);
  const other = await begin();
  try {
    await other.query('select from outbox for update');
    expect(await takeTasks('runs', 10)).toEqual([]);
  } finally {
    await other.end();
  }
});
