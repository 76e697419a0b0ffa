import { expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { followArchitectureStates, writeArchitectureState } from '#lib/catalog/architecture-states';
import { catalog, getArchitecture } from '#lib/catalog/catalog';
import { adminArchitecture } from '#lib/contract/admin-schemas';
import { engineList } from '#lib/contract/engine-schemas';
import { db } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { changeArchitecture, listAllArchitectures } from '#lib/operator/architectures';
import { listEngines } from '#lib/operator/list-engines';

await useOwnDatabase();

test('an operator can override the state of an architecture and remove the override again', async () => {
  const { revision } = catalog();
  expect(await changeArchitecture(COMMAND_LINE, 'mango', 'retired')).toMatchObject({
    state: 'retired',
    file_state: 'live',
    override: 'retired',
    gems: 135,
  });
  expect(() => getArchitecture('mango')).toThrow('retired');
  expect(catalog().list()).not.toContainEqual(expect.objectContaining({ id: 'mango' }));
  expect(catalog().revision).not.toBe(revision);
  expect(await changeArchitecture(COMMAND_LINE, 'mango', null)).toMatchObject({ state: 'live', override: null });
  expect(getArchitecture('mango').state).toBe('live');
  expect(catalog().revision).toBe(revision);
  expect((await listAudit()).data).toMatchObject([
    { subject: 'mango', before: { state: 'retired' }, after: { state: null } },
    { subject: 'mango', before: { state: null }, after: { state: 'retired' } },
  ]);
  await expect(changeArchitecture(COMMAND_LINE, 'nothing', 'live')).rejects.toMatchObject({
    code: 'architecture_not_found',
  });
});

test('removing the state override of one architecture keeps that of another', async () => {
  for (const id of ['mango', 'kiwi']) await changeArchitecture(COMMAND_LINE, id, 'retired');
  await changeArchitecture(COMMAND_LINE, 'mango', null);
  expect(catalog().find('kiwi')?.state).toBe('retired');
  expect(await changeArchitecture(COMMAND_LINE, 'kiwi', null)).toMatchObject({ state: 'live' });
});

test('a state set by another process reaches this one by notification', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const following = await followArchitectureStates();
  // the polling timer was created with fake timers and never fires, so only the notification can tell of the change
  vi.useRealTimers();
  await vi.waitFor(
    async () => {
      await db().transaction(tx => writeArchitectureState('kiwi', 'retired', tx));
      expect(catalog().find('kiwi')?.state).toBe('retired');
    },
    { timeout: 10_000 },
  );
  await following.close();
});

test('the operator lists of architectures and engines match their schemas', async () => {
  await createAccount({ email: 'ada@example.com' });
  for (const entry of await listAllArchitectures()) adminArchitecture.parse(entry);
  const { data } = engineList.parse(await listEngines());
  expect(data).toMatchObject([
    { id: 'preview', from: 'built-in', ok: false, servers: [], oldest_queued_seconds: null },
  ]);
});
