import { expect, test } from 'vitest';
import { createAccount, getAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { verifyApiKey } from '#lib/accounts/callers';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { findAccounts, readAccountDetail } from '#lib/accounts/find-accounts';
import { changeAccount, grantGemsAs, inviteAs, issueResetLink, withdrawInviteAs } from '#lib/accounts/govern';
import { adminAccount, adminAccountDetail } from '#lib/contract/admin-schemas';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';

await useOwnDatabase();

const operator = await createAccount({ email: 'op@example.com', operator: true });
const actor = { id: operator.id, name: operator.email };
const open = () => createAccount({ email: `${newId()}@example.com`, name: 'Ada Lovelace', gems: 5 });

test('changed permissions and limits, and disabling an account, apply from the next request on and are audited', async () => {
  const { id, email } = await open();
  const { key } = await createApiKey(id, { name: 'x' });
  await changeAccount(actor, id, { mayGenerate: false, inFlightLimit: 3, topUpLimit: 50, mayCreateCast: true });
  expect(await verifyApiKey(key)).toMatchObject({ mayGenerate: false, mayCreateCast: true, inFlightLimit: 3 });
  await changeAccount(actor, id, {});
  const { disabledAt } = await changeAccount(actor, id, { disabled: true });
  expect(await verifyApiKey(key)).toBeNull();
  expect(await changeAccount(actor, id, { disabled: true })).toMatchObject({ disabledAt });
  await changeAccount(COMMAND_LINE, id, { disabled: false });
  expect(await verifyApiKey(key)).not.toBeNull();
  const before = { may_generate: true, in_flight_limit: 20, top_up_limit: 0 };
  const after = { may_generate: false, in_flight_limit: 3, top_up_limit: 50 };
  const act = { act: 'account.change', subject: email, accountId: id };
  expect((await listAudit({ accountId: id })).data).toMatchObject([
    { ...act, actorId: null, actor: 'command line', before: { disabled: true }, after: { disabled: false } },
    { ...act, actorId: operator.id, actor: 'op@example.com', before: { disabled: false }, after: { disabled: true } },
    { ...act, actorId: operator.id, before, after },
  ]);
});

test('the last enabled operator keeps the role, even when two are demoted or disabled at the same time', async () => {
  const other = await createAccount({ email: 'other@example.com', operator: true });
  const left = await Promise.allSettled([
    changeAccount(actor, operator.id, { operator: false }),
    changeAccount(actor, other.id, { disabled: true }),
  ]);
  expect(left.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  // a disabled operator does not count
  await pool().query('update accounts set operator = true, disabled_at = $2 where id = $1', [operator.id, null]);
  await pool().query('update accounts set operator = true, disabled_at = $2 where id = $1', [other.id, new Date()]);
  await expect(changeAccount(actor, operator.id, { operator: false })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await pool().query('update accounts set operator = true, disabled_at = null where id = any($1)', [
    [operator.id, other.id],
  ]);
});

test('a grant, a reset link and an invitation are recorded in the audit log without their secrets', async () => {
  const { id, email } = await open();
  const row = await grantGemsAs(actor, id, { gems: 20, reason: 'a gift' });
  expect(row).toMatchObject({ kind: 'grant', gems: 20, balanceAfter: 25 });
  const reset = await issueResetLink(actor, id);
  const invite = await inviteAs(actor, { email: 'new@example.com', days: 3 });
  await withdrawInviteAs(actor, invite.id);
  const { data } = await listAudit({ limit: 4 });
  expect(data).toMatchObject([
    { act: 'invite.withdraw', subject: 'new@example.com' },
    { act: 'invite.create', after: { email: 'new@example.com', days: 3 } },
    { act: 'account.reset_link', subject: email },
    { act: 'gems.grant', subject: email, before: { balance: 5 }, after: { balance: 25, gems: 20, reason: 'a gift' } },
  ]);
  for (const url of [reset.url, invite.url]) {
    expect(JSON.stringify(data)).not.toContain(new URL(url).search.split('=')[1]);
  }
});

test('a grant is made once per idempotency key; another key or account gets its own grant', async () => {
  const [one, other] = [await open(), await open()];
  const grant = (id: string, gems: number, key: string) => grantGemsAs(actor, id, { gems, reason: 'a gift' }, key);
  const first = await grant(one.id, 10, 'a');
  expect(await grant(one.id, 99, 'a')).toEqual(first);
  expect(await grant(one.id, 20, 'b')).toMatchObject({ gems: 20, balanceAfter: 35 });
  expect(await grant(other.id, 30, 'a')).toMatchObject({ gems: 30, balanceAfter: 35 });
});

test('a refused operation is not recorded in the audit log', async () => {
  const { data: before } = await listAudit();
  await expect(changeAccount(actor, newId(), { disabled: true })).rejects.toMatchObject({ code: 'not_found' });
  await expect(changeAccount(actor, 'x', {})).rejects.toMatchObject({ code: 'not_found' });
  await expect(grantGemsAs(actor, (await open()).id, { gems: 0, reason: 'x' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect((await listAudit()).data).toEqual(before);
});

test('accounts are found by words of address and name, in pages, without LIKE wildcards', async () => {
  const grace = await createAccount({ email: 'grace_h@example.org', name: 'Grace Hopper' });
  for (const q of ['grace', 'GRACE hopper', 'grace_h', '@example.org hop']) {
    expect((await findAccounts({ q })).data.map(({ id }) => id)).toEqual([grace.id]);
  }
  for (const q of ['g%r', 'nobody', '_race']) expect((await findAccounts({ q })).data).toEqual([]);
  const first = await findAccounts({ limit: 2 });
  const second = await findAccounts({ limit: 2, cursor: first.nextCursor ?? '' });
  expect(second.data).toHaveLength(2);
  expect(adminAccount.parse(second.data[0]).id < adminAccount.parse(first.data[1]).id).toBe(true);
});

test('the account detail shows keys, request counts and ledger', async () => {
  const { id } = await open();
  await createApiKey(id, { name: 'laptop' });
  const detail = adminAccountDetail.parse(await readAccountDetail(id));
  expect(detail).toMatchObject({ keys: [{ name: 'laptop' }], ledger: [{ kind: 'opening' }], requests: { live: 0 } });
  expect((await getAccount(id)).balance).toBe(detail.balance);
});
