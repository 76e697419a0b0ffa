import { expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { listAudit } from '#lib/accounts/audit';
import { createOwnKey, revokeOwnKey, rollOwnKey } from '#lib/accounts/own-keys';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { singleton } from '#lib/singleton';

await useOwnDatabase();
const sendMail = vi.fn(async (_mail: { to: string; text: string }) => {});
singleton('accounts.mail', () => ({ sendMail }));
Object.assign(env(), { SMTP_URL: 'smtp://localhost' });

test('a holder is told of a key that is made, by what it is called; a key that is rolled or revoked is written down', async () => {
  const account = await createAccount({ email: `${newId()}@example.com` });
  const { id, key } = await createOwnKey(account, { name: 'laptop' });
  await vi.waitFor(() => expect(sendMail).toHaveBeenCalled(), 30_000);
  const rolled = await rollOwnKey(account, id, 1);
  await revokeOwnKey(account, id);
  // again changes nothing
  await revokeOwnKey(account, id);
  const acts = (await listAudit({ accountId: account.id })).data;
  expect(acts.map(({ act, actor }) => `${act} ${actor}`).toReversed()).toEqual(
    ['key.create', 'key.roll', 'key.revoke'].map(act => `${act} ${account.email}`),
  );
  expect(sendMail).toHaveBeenCalledTimes(1);
  const [mail] = sendMail.mock.calls[0]!;
  expect(mail.to).toBe(account.email);
  expect(mail.text).toContain(`“laptop” (…${key.slice(-4)})`);
  expect(mail.text).toContain('/account/api\n');
  for (const secret of [key, rolled.key]) expect(JSON.stringify([mail, acts])).not.toContain(secret);
});
