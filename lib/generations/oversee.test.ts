import { expect, test } from 'vitest';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { accountWith } from '#lib/accounts/test-callers';
import { useOwnDatabase } from '#lib/db/test-database';
import { stopRequest } from '#lib/generations/oversee';
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

test('an operator who stops a request is written down once, however often it is pressed', async () => {
  const id = await submit(caller);
  const stop = () => stopRequest(COMMAND_LINE, id);
  const answers = [...(await Promise.all([stop(), stop(), stop()])), await stop()];
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('cancelled'));
  expect(await actsOf(id)).toEqual([['request.cancel', { status: 'cancelled' }]]);
});

test('what cannot be written down is not done', async () => {
  const id = await submit(caller);
  // no text that Postgres takes
  await expect(stopRequest({ id: null, name: '\0' }, id)).rejects.toThrow();
  expect(await getGeneration(accountId, id)).toMatchObject({ finishedAt: null });
});

test('a request that is over otherwise is not stopped, and nothing is written down of that', async () => {
  const held = await submitAndClaim(caller);
  await finish(heldBy(held), failed);
  await expect(stopRequest(COMMAND_LINE, held.id)).rejects.toMatchObject({ code: 'request_finished' });
  expect(await actsOf(held.id)).toEqual([]);
});
