import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccount, findAccountByEmail, getAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { listAudit } from '#lib/accounts/audit';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { changeAccount } from '#lib/accounts/govern';
import { listSessions, openSession } from '#lib/accounts/sessions';
import { verifyApiKey } from '#lib/accounts/callers';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { ledgerCsv } from '#lib/accounts/ledger-csv';
import { grantGems } from '#lib/accounts/ledger';
import { db, pool } from '#lib/db/client';
import { PORTION } from '#lib/db/in-portions';
import { useOwnDatabase } from '#lib/db/test-database';
import { media } from '#lib/db/schema';
import { adoptDeployment } from '#lib/deployment';
import { env } from '#lib/env';
import { cancelAll } from '#lib/generations/cancel';
import { deleteAccount } from '#lib/generations/delete-account';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { begin, commitWhenWaitedFor } from '#lib/life/test-requests';
import { singleton } from '#lib/singleton';
import { faultOf } from '#lib/storage/bucket-answer';
import { newMediaKey } from '#lib/storage/media-key';
import { storage } from '#lib/storage/store';
import { startOutbox } from '#lib/worker/outbox';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-delete-'));
process.env.LOG_LEVEL = 'silent';

async function open(fields: { operator?: boolean } = {}) {
  const account = await createAccount({ email: `${newId()}@example.com`, gems: 1_000, ...fields });
  const { key, id: keyId } = await createApiKey(account.id, { name: 'x' });
  const submit = async (idempotencyKey?: string) => {
    const caller = await verifyApiKey(key);
    if (!caller) throw new Error('the key does not open');
    const body = async () => ({ prompt: 'soft rain on a tin roof' });
    return (await submitGeneration({ caller, architectureId: 'seed_audio', idempotencyKey, body })).generation.id;
  };
  return { account, key, keyId, submit };
}

test('an account deleted while the store is away is disabled, and removed with its files when the store is back', async () => {
  const { account, key } = await open();
  const stored = newMediaKey('upload', 'image/png');
  await storage().put(stored, Buffer.from('bytes'), 'image/png');
  const file = { kind: 'upload', key: stored, contentType: 'image/png', bytes: 5 } as const;
  await db()
    .insert(media)
    .values({ ...file, id: newId(), accountId: account.id });
  // from now on, the orphan sweep leaves existing files without a row alone
  await adoptDeployment();
  const gone = vi.spyOn(storage(), 'delete').mockRejectedValue(faultOf(503, 'the store is busy'));
  onTestFinished(() => gone.mockRestore());
  await openSession(account.id, { userAgent: 'a browser', address: '192.0.2.1' }, null);
  await deleteAccount(account, account.email);
  expect(gone).toHaveBeenCalledWith(stored);
  expect(await verifyApiKey(key)).toBeNull();
  expect(await listSessions(account.id)).toEqual([]);
  // an account that its holder deleted cannot be enabled again
  await expect(changeAccount(COMMAND_LINE, account.id, { disabled: false })).rejects.toMatchObject({
    extra: { issues: [{ path: '/disabled' }] },
  });
  expect(await verifyApiKey(key)).toBeNull();
  gone.mockRestore();
  await removeRest();
  expect(await findAccountByEmail(account.email)).toBeNull();
  expect(await storage().head(stored)).toBeNull();
});

/** Runs the outbox, as a worker does, until no account is left to remove. */
async function removeRest(): Promise<void> {
  await pool().query(`update outbox set due_at = now() where consumer = 'accounts'`);
  const outbox = startOutbox(() => undefined);
  const left = async () => (await pool().query(`select from outbox where consumer = 'accounts'`)).rowCount;
  await expect.poll(left).toBe(0);
  await outbox.stop();
}

test('the deletion of an account is recorded in the audit log, and its holder gets a mail', async () => {
  const sendMail = vi.fn(async (_mail: { to: string; text: string }) => {});
  singleton('accounts.mail', () => ({ sendMail }));
  env().SMTP_URL = 'smtp://localhost';
  onTestFinished(() => void (env().SMTP_URL = undefined));
  const { account } = await open();
  await deleteAccount(account, account.email);
  expect((await listAudit({ accountId: account.id })).data).toMatchObject([
    { act: 'account.delete', actor: account.email, actorId: account.id, subject: account.email },
  ]);
  const outbox = startOutbox(() => undefined);
  await vi.waitFor(() => expect(sendMail).toHaveBeenCalled(), 30_000);
  await outbox.stop();
  const [mail] = sendMail.mock.calls[0]!;
  expect(mail).toMatchObject({ to: account.email, text: expect.stringContaining('Your account was deleted') });
  // the mail must not suggest a new password, as the account no longer exists
  expect(mail.text).not.toContain('password');
});

test('the files of a deleted account are deleted several at a time', async () => {
  const { account } = await open();
  const file = () => {
    const [id, key] = [newId(), newMediaKey('upload', 'image/png')];
    return { id, accountId: account.id, kind: 'upload', key, contentType: 'image/png', bytes: 1 } as const;
  };
  await db().insert(media).values([file(), file(), file()]);
  const [seen, together] = [new Set<string>(), Promise.withResolvers<void>()];
  const gone = vi.spyOn(storage(), 'delete').mockImplementation(key => {
    if (seen.add(key).size === 2) together.resolve();
    return together.promise;
  });
  onTestFinished(() => gone.mockRestore());
  await deleteAccount(account, account.email);
  expect(seen.size).toBe(3);
});

test('a file that arrives while its account is being deleted is deleted too', async () => {
  const { account } = await open();
  const stored = newMediaKey('upload', 'image/png');
  await storage().put(stored, Buffer.from('bytes'), 'image/png');
  const coming = await begin();
  await coming.query(
    `insert into media (id, account_id, kind, key, content_type, bytes) values (gen_random_uuid(), $1, 'upload', $2, 'image/png', 5)`,
    [account.id, stored],
  );
  const deleted = deleteAccount(account, account.email);
  await commitWhenWaitedFor(coming);
  await deleted;
  expect(await findAccountByEmail(account.email)).toBeNull();
  expect(await storage().head(stored)).toBeNull();
});

test('deleting an account removes everything it owns, and the ledger stays consistent', async () => {
  const neighbour = await open();
  const kept = await neighbour.submit('key');
  const { account, key, keyId, submit } = await open();
  await submit('key');
  await submit();
  const stored = newMediaKey('upload', 'image/png');
  await storage().put(stored, Buffer.from('bytes'), 'image/png');
  await db().insert(media).values({
    id: newId(),
    accountId: account.id,
    kind: 'upload',
    key: stored,
    contentType: 'image/png',
    bytes: 5,
  });
  await deleteAccount(account, account.email.toUpperCase());
  expect(await findAccountByEmail(account.email)).toBeNull();
  expect(await verifyApiKey(key)).toBeNull();
  expect(await storage().head(stored)).toBeNull();
  // everything but the books is deleted
  for (const table of ['requests', 'api_keys', 'media', 'refusals']) {
    const { rows } = await pool().query(`select 1 from ${table} where account_id = $1`, [account.id]);
    expect(rows).toEqual([]);
  }
  const { rows } = await pool().query('select 1 from submissions where scope = any($1)', [[keyId, account.id]]);
  expect(rows).toEqual([]);
  // the outbox has no task left for the account
  const left = await pool().query(`select from outbox where consumer = 'accounts' and request_id = $1`, [account.id]);
  expect(left.rowCount).toBe(0);
  expect(await getGeneration(neighbour.account.id, kept)).toMatchObject({ status: 'queued' });
  expect((await checkLedger()).filter(report => !report.ok)).toEqual([]);
});

test('a deletion that cannot finish leaves the account disabled, and a worker removes the rest', async () => {
  const { account, key, submit } = await open();
  await submit();
  // more rows than one portion, and a character that blocks the deletion
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes, deleted_at)
    select gen_random_uuid(), $1, 'result', 'result/gone-' || n, 'image/png', 1, now() - interval '2 days' from generate_series(1, $2::int) n`,
    [account.id, PORTION + 1],
  );
  const neighbour = await open();
  await pool().query(
    `with taken as (insert into handles (handle, account_id, entity_id) values ('in-the-way', $1, gen_random_uuid()))
    insert into characters (id, account_id, handle, name, image_id)
    select gen_random_uuid(), $1, 'in-the-way', 'In the way', id from media where account_id = $2 limit 1`,
    [neighbour.account.id, account.id],
  );
  await deleteAccount(account, account.email);
  expect(await findAccountByEmail(account.email)).toMatchObject({ disabledAt: expect.any(Date) });
  expect(await verifyApiKey(key)).toBeNull();
  // the ledger is consistent without the requests that it charges for
  expect((await pool().query('select from requests where account_id = $1', [account.id])).rowCount).toBe(0);
  expect((await checkLedger()).filter(report => !report.ok)).toEqual([]);
  await pool().query(`delete from characters where handle = 'in-the-way'`);
  await removeRest();
  expect(await findAccountByEmail(account.email)).toBeNull();
  for (const table of ['requests', 'media'])
    expect((await pool().query(`select from ${table} where account_id = $1`, [account.id])).rowCount).toBe(0);
});

test('deleting an account requires its address as confirmation, and is refused for the only operator', async () => {
  const { account } = await open({ operator: true });
  await expect(deleteAccount(account, 'yes')).rejects.toMatchObject({ extra: { issues: [{ path: '/confirm' }] } });
  await expect(deleteAccount(account, account.email)).rejects.toMatchObject({
    message: expect.stringContaining('only operator'),
  });
  expect(await getAccount(account.id)).toEqual({ ...account, balance: 1_000 });
});

test('cancelling the live requests of one key does not cancel those of another', async () => {
  const { account, keyId, submit } = await open();
  const first = await submit();
  const other = await createApiKey(account.id, { name: 'y' });
  expect(await cancelAll({ accountId: account.id, keyId: other.id })).toBe(0);
  expect(await cancelAll({ accountId: account.id, keyId })).toBe(1);
  expect(await getGeneration(account.id, first)).toMatchObject({ status: 'cancelled' });
});

test('the ledger as CSV is complete, quotes its fields and neutralizes formulas', async () => {
  const { account } = await open();
  const csv = async (kind?: 'grant') => (await Readable.from(ledgerCsv(account.id, kind)).toArray()).join('');
  await grantGems(account.id, { gems: 1, reason: '=1+1, "so"', kind: 'grant' });
  const lines = (await csv()).split('\r\n');
  expect(lines[0]).toBe('id,created_at,kind,gems,balance_after,request_id,reason');
  expect(lines[1]).toMatch(/^\d+,[^,]+,grant,1,1001,,"'=1\+1, ""so"""$/);
  expect(lines[2]).toMatch(/,opening,1000,1000,,$/);
  expect(lines).toHaveLength(4);
  expect((await csv('grant')).split('\r\n')).toHaveLength(3);
});
