import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createAccount, findAccountByEmail } from '#lib/accounts/accounts';
import { createApiKey, listApiKeys } from '#lib/accounts/api-keys';
import { verifyApiKey } from '#lib/accounts/callers';
import { listAudit } from '#lib/accounts/audit';
import { listLedger, readBalance } from '#lib/accounts/ledger';
import { signInWithPassword } from '#lib/accounts/sign-ins';
import { pool } from '#lib/db/client';
import { pomona, pomonaWith } from '#lib/cli/cli-test-run';
import { useOwnDatabase } from '#lib/db/test-database';
import { createLocalStore } from '#lib/storage/local';

await useOwnDatabase();

test('storage copy copies to and from another store, rechecks files, and refuses unsuitable stores', async () => {
  const [ours, other] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'pomona-cli-'))));
  await createLocalStore(ours!).put('result/a.png', new Uint8Array(7), 'image/png');
  const run = (...args: string[]) => pomonaWith({ STORAGE_URL: pathToFileURL(ours!).href }, 'storage', 'copy', ...args);
  const at = pathToFileURL(other!).href;
  const first = { code: 0, out: '1 files (7 bytes) copied, 0 were there, 0 differ.\n' };
  expect(await run('--to', at)).toMatchObject({ ...first, err: expect.not.stringContaining('Warning') });
  expect(await run('--from', at)).toMatchObject({
    code: 0,
    out: '0 files (0 bytes) copied, 1 were there, 0 differ.\n',
  });
  await writeFile(join(other!, 'result/a.png'), 'changed');
  expect(await run('--to', at)).toMatchObject({ code: 0 });
  const recheck = await run('--to', at, '--recheck');
  expect(recheck).toMatchObject({ code: 1, out: expect.stringContaining('result/a.png differs') });
  const full = await mkdtemp(join(tmpdir(), 'pomona-cli-'));
  await writeFile(join(full, 'result'), 'where a folder would be');
  const wrong = [
    [['--to', pathToFileURL(full).href], 1, 'The copy stopped: '],
    [[], 2, '--to or --from'],
    [['--to', at, '--from', at], 2, 'cannot be used with'],
    [['--to', 's3://KEY:secret@bucket'], 2, 'without keys in it'],
    [['--to', `${pathToFileURL(ours!).href}/backup`], 2, 'is the store of this deployment, or one contains the other.'],
    [['--from', `${at}/typo`], 1, 'There are no files at'],
  ] as const;
  await Promise.all(
    wrong.map(async ([args, code, err]) => {
      expect(await run(...args)).toMatchObject({ code, out: '', err: expect.stringContaining(err) });
    }),
  );
});

test('an unusable store is reported in one line that names the option or setting at fault', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'pomona-cli-')), 'file');
  await writeFile(file, 'no folder');
  const STORAGE_URL = pathToFileURL(await mkdtemp(join(tmpdir(), 'pomona-cli-'))).href;
  const told = await pomonaWith({ STORAGE_URL }, 'storage', 'copy', '--to', pathToFileURL(file).href);
  expect(told).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The store of --to cannot be used: ENOTDIR.*\n$/),
  });
  const settings = { STORAGE_URL, GOOGLE_APPLICATION_CREDENTIALS: '/nope' };
  const unknown = await pomonaWith(settings, 'storage', 'copy', '--to', 'gcs://bucket');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/^GOOGLE_APPLICATION_CREDENTIALS .*\n$/) });
});

test('the CLI creates an account and a key, grants gems, lists them, and revokes the key', async () => {
  const made = await pomona(
    'account',
    'create',
    '--email',
    'ada@example.com',
    '--name',
    'Ada',
    '--gems',
    '0',
    '--operator',
  );
  expect(made).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/^ada@example\.com has 0 gems \(account [-0-9a-f]+\)\.\n$/),
  });
  const account = await findAccountByEmail('ada@example.com');
  expect(account).toMatchObject({ name: 'Ada', balance: 0, operator: true });
  const id = account?.id ?? '';

  const created = await pomona(
    'key',
    'create',
    '--email',
    'ADA@example.com',
    '--name',
    'laptop',
    '--expires',
    '2099-01-01',
    '--budget',
    '50',
  );
  expect(created).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^pomona_sk_[0-9A-Za-z]{49}\n$/) });
  const key = created.out.trim();
  expect(await verifyApiKey(key)).toMatchObject({ accountId: id, monthlyBudget: 50 });
  expect(await listApiKeys(id)).toMatchObject([{ name: 'laptop', expiresAt: new Date('2099-01-01') }]);

  const granted = await pomona('gems', 'grant', '--email', 'ada@example.com', '--gems', '25', '--reason', 'a gift');
  expect(granted).toEqual({ code: 0, err: '', out: 'ada@example.com has 25 gems.\n' });
  expect((await listLedger(id)).data).toMatchObject([{ kind: 'grant', gems: 25, balanceAfter: 25, reason: 'a gift' }]);

  const listed = await pomona('key', 'list', '--email', 'ada@example.com', '--json');
  expect(JSON.parse(listed.out)).toMatchObject([{ name: 'laptop', lastFour: key.slice(-4) }]);
  await createApiKey(id, { name: 'an app', app: { clientId: 'app', returnsTo: 'app.example.com' } });
  const everything = await Promise.all([
    pomona('key', 'list', '--email', 'ada@example.com'),
    pomona('account', 'list'),
  ]);
  expect(everything[0].out).toMatch(/an app.* app\.example\.com/);
  expect(everything[1].out).toMatch(/ada@example\.com +Ada +true +25/);

  const revoked = await pomona('key', 'revoke', '--key-last4', key.slice(-4));
  expect(revoked).toEqual({ code: 0, err: '', out: `The key laptop (…${key.slice(-4)}) is revoked.\n` });
  expect(await verifyApiKey(key)).toBeNull();

  const told = JSON.stringify([made, granted, listed, everything, revoked]);
  expect(told).not.toContain(key.slice(10, 20));
});

test('closing the output pipe early does not fail the command', async () => {
  const { code, err } = await pomonaWith({ hangUp: 'yes' }, 'account', 'list');
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('reset links, random passwords, invitations and disabling work; changes of an account are audited', async () => {
  const { id } = await createAccount({ email: 'grace@example.com' });
  const email = ['--email', 'grace@example.com'];
  const link = await pomona('account', 'password', ...email);
  expect(link).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/^http:\S+\/reset-password\?token=\w{43}\n$/),
  });
  const random = await pomona('account', 'password', ...email, '--random');
  const credentials = { email: 'grace@example.com', password: random.out.trim() };
  const signIn = () => signInWithPassword(credentials, { address: 'here' }, async account => account.id);
  expect(await signIn()).toBe(id);
  const invite = await pomona('account', 'invite', '--days', '2');
  expect(invite.out).toMatch(/\/sign-up\?invite=\w{43}\n$/);
  expect(await pomona('account', 'invite', ...email)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^An account with the e-mail address grace@example\.com exists already\. /),
  });
  expect((await pomona('account', 'disable', ...email)).out).toBe('grace@example.com is disabled.\n');
  expect(await pomona('key', 'create', ...email, '--name', 'laptop')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^pomona_sk_\w+\n$/),
    err: expect.stringMatching(/^grace@example\.com is disabled: .*\n$/),
  });
  await expect(signIn()).rejects.toMatchObject({ code: 'forbidden' });
  expect((await pomona('account', 'enable', ...email)).out).toBe('grace@example.com is enabled.\n');
  const acts = (await listAudit({ accountId: id })).data;
  expect(acts.map(({ actor, act }) => `${actor}: ${act}`).toReversed()).toEqual([
    'command line: account.reset_link',
    'command line: account.password',
    'command line: account.change',
    'command line: key.create',
    'command line: account.change',
  ]);
  expect(JSON.stringify(acts)).not.toContain(credentials.password);
});

test('ledger check prints every invariant, and exits 1 when one is broken', async () => {
  const sound = await pomona('ledger', 'check');
  expect(sound).toMatchObject({ code: 0, err: '' });
  expect(sound.out.match(/^I[1-9] +ok /gm)).toHaveLength(9);
  await createAccount({ email: 'off@example.com', gems: 5 });
  await pool().query("update accounts set balance = 6 where email = 'off@example.com'");
  const broken = await pomona('ledger', 'check');
  expect(broken.code).toBe(1);
  expect(broken.out).toMatch(/^I2 +BROKEN .*\n +balance is not the sum of the ledger: [-0-9a-f]+, 6, not 5$/m);
  await pool().query("update accounts set balance = 5 where email = 'off@example.com'");
});

test('an invalid number is a usage error that names the number and changes nothing', async () => {
  const { id } = await createAccount({ email: 'bad@example.com', gems: 7 });
  const { code, out, err } = await pomona(
    'gems',
    'grant',
    '--email',
    'bad@example.com',
    '--gems',
    '-1',
    '--reason',
    'x',
  );
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^error: .*--gems.*-1.* It must be a whole number from 1 to 1000000000\.\n$/);
  expect(await readBalance(id)).toBe(7);
});

test.concurrent.each([
  [['gems', 'grant', '--gems', '5', '--reason', 'x'], /--email/],
  [['key', 'create', '--email', 'a@b.c', '--name', 'x', '--expires', '2027-02-30'], /a date such as/],
  [['key', 'create', '--email', 'a@b.c', '--name', 'x', '--expires', '2020-01-01'], /--expires.* in the future/],
  [['key', 'create', '--email', 'a@b.c', '--name', 'x', '--in-flight', '20000'], /--in-flight.* from 1 to 10000\./],
  [['key', 'revoke'], /--id or --key-last4/],
  [['nonsense'], /nonsense/],
])('a usage error exits 2: %j', async (args, told) => {
  const { code, out, err } = await pomona(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(told);
});

test.concurrent.each([
  [['key', 'create', '--email', 'nobody@example.com', '--name', 'x'], /^No account .*account create\.\n$/],
  [['key', 'revoke', '--id', 'x'], /^There is no such live key.*\n$/],
  [
    ['workflow', 'export', 'z_image', '--to', '/dev/null'],
    /^\/dev\/null\/architectures\/z_image\.json cannot be written: .*\n$/,
  ],
  [['account', 'create', '--email', 'x'], /^email must be an e-mail address such as .*\n$/],
  [['account', 'invite', '--email', 'x'], /^email must be an e-mail address such as .*\n$/],
])('a refusal exits 1 and says in one line what to do: %j', async (args, told) => {
  const { code, out, err } = await pomona(...args);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(told);
});
