import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE } from '#lib/accounts/audit';
import type { Caller } from '#lib/accounts/callers';
import { changeAccount } from '#lib/accounts/govern';
import { grantGems } from '#lib/accounts/ledger';
import { accountWith, keyFor } from '#lib/accounts/test-callers';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { submitGeneration } from '#lib/generations/submit';
import type { Event } from '#lib/events';
import { newId } from '#lib/ids';
import { takeTasks } from '#lib/life/outbox';
import { changeNoticeSettings, raiseNotice, seeNotices } from '#lib/notices/notices';
import { raiseExpiring } from '#lib/notices/raise-expiring';
import { noticesToWire } from '#lib/notices/to-wire';
import { newMediaKey } from '#lib/storage/media-key';
import { createWebhook } from '#lib/webhooks/webhooks';
import { announceRetired } from '#lib/worker/announce-retired';
import { tellNotice } from '#lib/worker/tell-notice';

await useOwnDatabase();

/** A mail server that accepts everything, unless `isAway`. */
const mails: string[] = [];
let isAway = false;
const mailServer = createServer((socket: Socket) => {
  let mail: string | null = null;
  socket.write(isAway ? '421 away\r\n' : '220 here\r\n');
  socket.on('data', bytes => {
    for (const line of String(bytes).split('\r\n')) {
      if (mail !== null) {
        if (line === '.') {
          mails.push(mail);
          mail = null;
          socket.write('250 taken\r\n');
        } else mail += `${line}\n`;
      } else if (line === 'DATA') {
        mail = '';
        socket.write('354 go on\r\n');
      } else if (line) socket.write('250 fine\r\n');
    }
  });
  socket.on('error', () => {});
}).listen(0, '127.0.0.1');
await once(mailServer, 'listening');
Object.assign(process.env, {
  LOG_LEVEL: 'silent',
  SMTP_URL: `smtp://127.0.0.1:${(mailServer.address() as AddressInfo).port}`,
});

let caller: Caller;
let email: string;

beforeEach(async () => {
  mails.length = 0;
  email = `${newId()}@example.com`;
  const { id } = await createAccount({ email, gems: 115 });
  caller = await keyFor(id);
  await pool().query('delete from outbox');
});
beforeAll(() => announceRetired(new Date()));
afterAll(() => void mailServer.close());

const submit = () =>
  submitGeneration({ caller, architectureId: 'z_image', body: () => Promise.resolve({ prompt: 'dusk' }) });

async function tellAll(): Promise<void> {
  for (const { subjectId } of await takeTasks('notices', 100)) await tellNotice(subjectId);
}

/** Returns the messages to webhooks of the account. */
async function messages() {
  const { rows } = await pool().query<{ body: string }>(
    'select body from webhook_deliveries where account_id = $1 order by id',
    [caller.accountId],
  );
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: object });
}

const listen = (...events: Event[]) => createWebhook(caller.accountId, { url: 'https://example.com/', events });

test('a low-balance notice is sent when a charge crosses the threshold, and again only after gems were added', async () => {
  await listen('balance.low');
  await submit();
  await tellAll();
  expect(mails).toEqual([]);
  await submit();
  await submit();
  await tellAll();
  expect(await messages()).toMatchObject([{ type: 'balance.low', data: { balance: 95, threshold: 100 } }]);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatch(
    new RegExp(`To: ${email}[^]*Subject: Pomona: 95 gems left[^]*${env().BASE_URL}/account/gems`),
  );
  expect((await noticesToWire(caller.accountId)).data).toMatchObject([
    { kind: 'balance.low', title: '95 gems left', href: '/account/gems', seen: false },
  ]);
  // crossing the threshold again causes no notice, unless gems were added
  await pool().query('update accounts set balance = 105 where id = $1', [caller.accountId]);
  await submit();
  await tellAll();
  expect(mails).toHaveLength(1);
  for (const [told, kind] of (['grant', 'top_up'] as const).entries()) {
    await pool().query('update accounts set balance = 95 where id = $1', [caller.accountId]);
    await grantGems(caller.accountId, { gems: 10, reason: 'more', kind });
    await submit();
    await tellAll();
    expect(mails).toHaveLength(told + 2);
  }
});

test('each notice can be muted per channel, and the balance threshold can be changed', async () => {
  await changeNoticeSettings(caller.accountId, { lowBalance: 100, mutes: ['balance.low:mail'] });
  await submit();
  await submit();
  await tellAll();
  expect(mails).toEqual([]);
  expect((await noticesToWire(caller.accountId)).data).toHaveLength(1);
  await changeNoticeSettings(caller.accountId, { lowBalance: 60, mutes: ['balance.low:studio'] });
  expect((await noticesToWire(caller.accountId)).data).toEqual([]);
  await changeNoticeSettings(caller.accountId, { lowBalance: null, mutes: [] });
  for (let n = 0; n < 9; n++) await submit();
  expect(await takeTasks('notices', 10)).toEqual([]);
});

test('marking a notice as seen leaves newer ones and those of other accounts unseen', async () => {
  const { accountId: other } = await accountWith(0);
  for (const id of [other, caller.accountId, caller.accountId])
    await db().transaction(tx => raiseNotice(id, 'balance.low', { balance: 1, threshold: 2 }, tx));
  const [, own] = (await noticesToWire(caller.accountId)).data;
  await seeNotices(caller.accountId, own!.id);
  expect((await noticesToWire(caller.accountId)).data).toMatchObject([{ seen: false }, { seen: true }]);
  expect((await noticesToWire(other)).data).toMatchObject([{ seen: false }]);
});

test('the fifty newest notices are listed', async () => {
  await pool().query(
    `insert into notices (id, account_id, kind, data, created_at)
    select gen_random_uuid(), $1, 'balance.low', '{"balance": 1, "threshold": 2}', now() - n * interval '1 day'
    from generate_series(0, 50) n`,
    [caller.accountId],
  );
  const { data } = await noticesToWire(caller.accountId);
  expect(data).toHaveLength(50);
  expect(Date.now() - Date.parse(data[0]!.created_at)).toBeLessThan(60_000);
});

test('a disabled account gets no mail', async () => {
  for (let n = 0; n < 2; n++) await submit();
  await changeAccount(COMMAND_LINE, caller.accountId, { disabled: true });
  await tellAll();
  expect(mails).toEqual([]);
});

test('results that expire within a week cause at most one notice per week', async () => {
  await listen('media.expiring');
  const media = async (days: number, { kind = 'result', deleted = false } = {}) => {
    const { rows } = await pool().query<{ expires_at: Date }>(
      `insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at, deleted_at)
      values ($1, $2, $5, $3, 'image/png', 1, $1, date_trunc('second', now()) + $4 * interval '1 day', case when $6 then now() end)
      returning expires_at`,
      [newId(), caller.accountId, newMediaKey('result', 'image/png'), days, kind, deleted],
    );
    return rows[0]!.expires_at.toISOString();
  };
  const [first_expires_at] = [await media(2), await media(6), await media(8), await media(-1)];
  await media(1, { kind: 'upload' });
  await media(1, { deleted: true });
  await db().transaction(tx => raiseNotice(caller.accountId, 'balance.low', { balance: 1, threshold: 2 }, tx));
  await pool().query('delete from outbox');
  expect([await raiseExpiring(new Date()), await raiseExpiring(new Date())]).toEqual([1, 0]);
  await tellAll();
  const [first, ...more] = await messages();
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    type: 'media.expiring',
    data: { count: 2, first_expires_at, request_ids: [expect.any(String), expect.any(String)] },
  });
  expect(mails[0]).toContain('Subject: Pomona: 2 results expire soon');
  const raiseAfter = (days: number) => raiseExpiring(new Date(Date.now() + days * 86_400_000));
  expect(await raiseAfter(6.9)).toBe(0);
  expect(await raiseAfter(7.1)).toBe(1);
  const titles = (await noticesToWire(caller.accountId)).data.map(({ title }) => title);
  expect(titles).toEqual(['One result expires soon', '2 results expire soon', '1 gems left']);
});

test('expiring results are found even among a thousand accounts that have none', async () => {
  await pool().query(
    `insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at)
    select $1, max(id::text)::uuid, 'result', $2, 'image/png', 1, $1, now() + interval '2 days' from accounts`,
    [newId(), newMediaKey('result', 'image/png')],
  );
  await pool().query(
    `insert into accounts (id, email) select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'many' || n || '@example.com'
    from generate_series(1, 1000) n`,
  );
  onTestFinished(async () => void (await pool().query(`delete from accounts where email like 'many%'`)));
  expect(await raiseExpiring(new Date())).toBe(1);
});

test('a notice that is processed twice sends one webhook message', async () => {
  await listen('balance.low');
  await db().transaction(tx => raiseNotice(caller.accountId, 'balance.low', { balance: 1, threshold: 2 }, tx));
  const [task] = await takeTasks('notices', 1);
  await tellNotice(task!.subjectId);
  await tellNotice(task!.subjectId);
  expect(await messages()).toHaveLength(1);
});

test('a notice fails while the mail server is unavailable, and a retry sends the mail', async () => {
  await db().transaction(tx => raiseNotice(caller.accountId, 'balance.low', { balance: 1, threshold: 2 }, tx));
  const [task] = await takeTasks('notices', 1);
  isAway = true;
  await expect(tellNotice(task!.subjectId)).rejects.toThrow('421');
  isAway = false;
  await tellNotice(task!.subjectId);
  expect(mails).toHaveLength(1);
});

test('a retired architecture is announced once to subscribed webhooks', async () => {
  await listen('architecture.retired');
  const set = (value: object) =>
    pool().query(
      `insert into settings (name, value) values ('architecture_states', $1) on conflict (name) do update set value = $1`,
      [value],
    );
  await set({ kiwi: 'retired' });
  expect(await announceRetired(new Date())).toBe(1);
  expect(await announceRetired(new Date())).toBe(0);
  expect(await messages()).toMatchObject([{ type: 'architecture.retired', data: { architecture: 'kiwi' } }]);
  // an older version, whose files differ, runs the sweep alternately
  for (const state of ['live', 'retired', 'live', 'retired']) {
    await set({ kiwi: state });
    expect(await announceRetired(new Date())).toBe(0);
  }
  expect(await messages()).toHaveLength(1);
  // that version knows other architectures, whose states are kept
  const known = `from settings where name = 'announced_states'`;
  await pool().query(`update settings set value = value || '{"quince": "live"}' where name = 'announced_states'`);
  await set({ kiwi: 'live' });
  await announceRetired(new Date());
  expect((await pool().query(`select value ->> 'quince' as quince ${known}`)).rows).toEqual([{ quince: 'live' }]);
  const [later, last] = [25, 50].map(hours => new Date(Date.now() + hours * 3_600_000)) as [Date, Date];
  await set({});
  await announceRetired(later);
  await set({ kiwi: 'retired' });
  expect(await announceRetired(later)).toBe(1);
  // not announced again each day while it stays retired
  expect(await announceRetired(last)).toBe(0);
  await set({});
  await announceRetired(later);
});
