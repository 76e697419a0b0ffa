import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URI, type TOTP } from 'otpauth';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount, type Account } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { dropSecondStepAs } from '#lib/accounts/govern';
import {
  beginSecondStep,
  confirmSecondStep,
  readSecondStep,
  removeSecondStep,
  renewRecoveryCodes,
} from '#lib/accounts/second-step';
import { appOf, findStep } from '#lib/accounts/second-step-codes';
import { changePassword, setPassword, signInWithPassword } from '#lib/accounts/sign-ins';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { singletons } from '#lib/singleton';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-second-step-'));
afterEach(() => vi.useRealTimers());

const PASSWORD = 'a quiet orchard';
const STEP = 30_000;

async function open() {
  const account = await createAccount({ email: `${newId()}@example.com` });
  await setPassword(account, PASSWORD);
  const signIn = (code?: string, address = newId()) =>
    signInWithPassword({ email: account.email, password: PASSWORD, code }, { address }, async it => it);
  return { account, signIn };
}

/** Creates an account with a second step and stops the clock. */
async function guarded() {
  const { account, signIn } = await open();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:10Z') });
  const app = URI.parse((await beginSecondStep(account)).uri) as TOTP;
  const recovery = await confirmSecondStep(account, app.generate());
  const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
  wait(STEP);
  return { account, signIn, app, recovery, wait };
}

const wrong = expect.objectContaining({
  code: 'invalid_request',
  extra: { issues: [expect.objectContaining({ path: '/code' })] },
});

test('a second step takes effect once a code of the app is confirmed, and is then required after the password', async () => {
  const { account, signIn } = await open();
  const app = URI.parse((await beginSecondStep(account)).uri) as TOTP;
  expect(app).toMatchObject({ issuer: 'Pomona', label: account.email });
  expect(await signIn()).not.toBeNull();
  await expect(confirmSecondStep(account, '000000')).rejects.toEqual(wrong);
  const codes = await confirmSecondStep(account, app.generate().replace(/^(...)/, '$1 '));
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
  expect(await signIn()).toBeNull();
  expect(await readSecondStep(account.id)).toMatchObject({ recoveryLeft: 10 });
  await expect(beginSecondStep(account)).rejects.toMatchObject({ code: 'invalid_request' });
  const again = {
    code: 'invalid_request',
    message: expect.stringContaining('is on. If you do not have its recovery codes'),
  };
  await expect(confirmSecondStep(account, app.generate())).rejects.toMatchObject(again);
});

test.each<[string, string[], (account: Account, nextCode: string) => Promise<unknown>]>([
  ['begun anew', [], beginSecondStep],
  ['removed', [], account => removeSecondStep(account)],
  ['put in force', ['second_step.add'], confirmSecondStep],
])('a second step that was %s in another tab cannot be confirmed by this tab', async (_, added, meanwhile) => {
  const { account } = await open();
  const app = URI.parse((await beginSecondStep(account)).uri) as TOTP;
  const transaction = db().transaction.bind(db());
  const between = vi.spyOn(db(), 'transaction').mockImplementationOnce(async (...args) => {
    await meanwhile(account, app.generate({ timestamp: Date.now() + STEP }));
    return transaction(...args);
  });
  onTestFinished(() => between.mockRestore());
  const changed = { code: 'invalid_request', message: expect.stringContaining('changed meanwhile') };
  await expect(confirmSecondStep(account, app.generate())).rejects.toMatchObject(changed);
  expect((await listAudit({ accountId: account.id })).data.map(({ act }) => act)).toEqual(added);
});

test('a code is accepted once, even from concurrent sign-ins, and older codes are refused after it', async () => {
  const { signIn, app, wait } = await guarded();
  const code = app.generate();
  const tried = await Promise.allSettled([signIn(code), signIn(code), signIn(code), signIn(code)]);
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(signIn(code)).rejects.toEqual(wrong);
  wait(STEP);
  const older = app.generate();
  wait(STEP);
  await signIn(app.generate());
  await expect(signIn(older)).rejects.toEqual(wrong);
});

test('a code may be off by one 30-second step but not two, and an early code is not accepted again later', async () => {
  const { signIn, app, wait } = await guarded();
  await expect(signIn(app.generate({ timestamp: Date.now() + 2 * STEP }))).rejects.toEqual(wrong);
  await expect(signIn(app.generate({ timestamp: Date.now() - 2 * STEP }))).rejects.toEqual(wrong);
  const early = app.generate({ timestamp: Date.now() + STEP });
  expect(await signIn(early)).not.toBeNull();
  wait(STEP);
  await expect(signIn(early)).rejects.toEqual(wrong);
});

test('a recovery code works once, in any case and spacing; renewing the codes ends the old ones', async () => {
  const { account, signIn, recovery } = await guarded();
  const [first = '', second = ''] = recovery;
  const tried = await Promise.allSettled(
    [first, first.toUpperCase(), ` ${first.replace('-', ' ')}`].map(code => signIn(code)),
  );
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await readSecondStep(account.id)).toMatchObject({ recoveryLeft: 9 });
  const renewed = await renewRecoveryCodes(account);
  await expect(signIn(second)).rejects.toEqual(wrong);
  expect(await signIn(renewed[1])).not.toBeNull();
});

test('ten wrong codes block codes from every network address for at most 16 minutes; none counts as a wrong password', async () => {
  const { signIn, app, wait } = await guarded();
  for (let n = 0; n < 10; n++) await expect(signIn('nonsense', 'home')).rejects.toEqual(wrong);
  await expect(signIn(app.generate())).rejects.toMatchObject({ code: 'rate_limited' });
  // the password is still accepted, and a code is asked for
  expect(await signIn(undefined, 'home')).toBeNull();
  wait(16 * 60_000);
  expect(await signIn(app.generate())).not.toBeNull();
});

test('codes of another account are refused, and so is a right code with a wrong password', async () => {
  const [ada, eve] = [await guarded(), await guarded()];
  for (const code of [eve.app.generate(), ...eve.recovery.slice(0, 3)])
    await expect(ada.signIn(code)).rejects.toEqual(wrong);
  const guess = signInWithPassword(
    { email: ada.account.email, password: 'wrong', code: ada.app.generate() },
    { address: newId() },
    async it => it,
  );
  await expect(guess).rejects.toMatchObject({ code: 'unauthorized' });
});

test('with a second step, the password alone does not let an old session change it', async () => {
  const { account } = await guarded();
  const change = (signedInAt: Date) => changePassword(account, PASSWORD, 'another orchard', { signedInAt });
  await expect(change(new Date(Date.now() - 3_600_000))).rejects.toMatchObject({ code: 'sign_in_again' });
  await change(new Date());
});

test('app codes cannot be derived from a stored second step without the secret key of the deployment', async () => {
  const { account, app } = await guarded();
  const step = (await findStep(account.id))!;
  expect(appOf(step).secret.base32).toBe(app.secret.base32);
  const useKey = (SECRET_KEY: string | undefined) => {
    Object.assign(env(), { SECRET_KEY });
    singletons.delete('secret.second-step');
  };
  onTestFinished(() => useKey(undefined));
  useKey('another'.repeat(10));
  expect(appOf(step).secret.base32).not.toBe(app.secret.base32);
});

test('a second step can be removed by its holder or an operator, is audited, and is stored without secrets', async () => {
  const { account, signIn, app, recovery } = await guarded();
  const { rows } = await pool().query('select * from second_steps where account_id = $1', [account.id]);
  expect(JSON.stringify(rows)).not.toContain(app.secret.base32);
  expect(JSON.stringify(rows)).not.toContain(recovery[0]);
  await renewRecoveryCodes(account);
  await removeSecondStep(account);
  expect(await signIn()).not.toBeNull();
  const { uri } = await beginSecondStep(account);
  // an unconfirmed second step has no recovery codes
  await expect(renewRecoveryCodes(account)).rejects.toMatchObject({ code: 'not_found' });
  expect(uri).not.toBe(app.toString());
  await confirmSecondStep(account, (URI.parse(uri) as TOTP).generate());
  await dropSecondStepAs(COMMAND_LINE, account.id);
  expect(await signIn()).not.toBeNull();
  const acts = (await listAudit({ accountId: account.id })).data.map(({ actor, act }) => `${actor}: ${act}`);
  expect(acts.toReversed()).toEqual([
    `${account.email}: second_step.add`,
    `${account.email}: second_step.renew`,
    `${account.email}: second_step.remove`,
    `${account.email}: second_step.add`,
    'command line: account.second_step',
  ]);
});
