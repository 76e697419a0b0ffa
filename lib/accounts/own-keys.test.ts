import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { listAudit } from '#lib/accounts/audit';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { createOwnKey, revokeOwnKey, rollOwnKey } from '#lib/accounts/own-keys';
import { owedMails } from '#lib/accounts/test-mails';
import { db } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';

await useOwnDatabase();
Object.assign(env(), { SMTP_URL: 'smtp://localhost' });

test('creating a key notifies the holder by mail; creating, rolling and revoking are audited without secrets', async () => {
  const account = await createAccount({ email: `${newId()}@example.com` });
  const { id, key } = await createOwnKey(account, { name: 'laptop' });
  const rolled = await rollOwnKey(account, id, 1);
  await revokeOwnKey(account, id);
  // revoking again changes nothing
  await revokeOwnKey(account, id);
  const acts = (await listAudit({ accountId: account.id })).data;
  expect(acts.map(({ act, actor }) => `${act} ${actor}`).toReversed()).toEqual(
    ['key.create', 'key.roll', 'key.revoke'].map(act => `${act} ${account.email}`),
  );
  const [mail, ...more] = await owedMails(account.email);
  expect(more).toEqual([]);
  expect(mail?.text).toContain(`“laptop” (…${key.slice(-4)})`);
  expect(mail?.text).toContain('/account/api\n');
  for (const secret of [key, rolled.key]) expect(JSON.stringify([mail, acts])).not.toContain(secret);
});

test('an operation that is rolled back sends no mail', async () => {
  const account = await createAccount({ email: `${newId()}@example.com` });
  const undone = db().transaction(async tx => {
    await noteHolderAct(account, { act: 'password.change', sentence: 'The password of your account was changed.' }, tx);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await owedMails(account.email)).toEqual([]);
});
