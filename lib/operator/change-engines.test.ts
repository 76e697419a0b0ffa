import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { engineEntry, type EngineEntryWire } from '#lib/contract/engine-schemas';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { documents, refreshDocuments, writeDocument } from '#lib/documents/documents';
import { engines } from '#lib/engines/engines';
import { unseal } from '#lib/engines/sealed';
import { env } from '#lib/env';
import { addEngine, changeEngine, getEngine, removeEngine, replaceEngine } from '#lib/operator/change-engines';
import { listEngines } from '#lib/operator/list-engines';

await useOwnDatabase();
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), 'pomona-operator-'));

const SECRET = 'a-secret-of-a-gpu-box';
const server = (more: object = {}) => ({ id: 'a', url: 'http://127.0.0.1:9', secret: null, places: null, ...more });
const entry = (more: Partial<EngineEntryWire> = {}): EngineEntryWire => ({
  id: 'box',
  type: 'comfyui',
  paused: false,
  servers: [server()],
  options: {},
  ...more,
});
const ids = () => engines().map(({ id }) => id);
const written = () => documents().get('engines.json') ?? '';

beforeEach(async () => {
  delete (env() as Partial<ReturnType<typeof env>>).COMFYUI_URL;
  await pool().query('delete from documents');
  await pool().query('delete from audit_log');
  await refreshDocuments();
});

test('the duration shown for an engine is the median of its recent completed requests', async () => {
  const { id } = await createAccount({ email: 'ana@example.com' });
  const made = (engine: string, seconds: number, { daysAgo = 0, status = 'completed' } = {}) =>
    pool().query(
      `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems,
        started_at, finished_at)
      select gen_random_uuid(), $1, $5, 'mango', 'mango-v3', 'image', $2, 'x', '{}', '{}', 1, '{}', 1, at, at + $3 * interval '1 second'
      from (select now() - $4 * interval '1 day' - interval '1 minute' as at) moment`,
      [id, engine, seconds, daysAgo, status],
    );
  for (const seconds of [3, 5, 40]) await made('preview', seconds);
  await made('another', 9);
  await made('preview', 900, { daysAgo: 2 });
  for (let n = 0; n < 4; n++) await made('preview', 900, { status: 'cancelled' });
  expect((await listEngines()).data).toMatchObject([{ id: 'preview', median_seconds: 5 }]);
});

test('the load of an engine and the state of its servers are listed together', async () => {
  const { id } = await createAccount({ email: 'bo@example.com' });
  onTestFinished(
    async () => void (await pool().query(`delete from requests where worker is not null or status = 'queued'`)),
  );
  await pool().query(
    `insert into servers (id, engine, places, ok, trouble, trouble_at) values
      ('preview/a', 'preview', 2, true, null, null), ('preview/b', 'preview', 3, false, 'no credit', now())`,
  );
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, line, prompt, body, config, seed, output, gems,
      created_at, worker, server)
    select gen_random_uuid(), $1, status, 'mango', 'mango-v3', 'image', 'preview', 'preview', 'x', '{}', '{}', 1, '{}', 1,
      now() - interval '1 minute', worker, 'preview/a'
    from (values ('queued', null::uuid), ('queued', null), ('in_progress', $1)) as one (status, worker)`,
    [id],
  );
  const { data } = await listEngines();
  expect(data).toMatchObject([{ ok: true, places: 2, queued: 2, in_progress: 1, servers: [{ busy: 1 }, { busy: 0 }] }]);
  expect(data[0]!.oldest_queued_seconds).toBeGreaterThan(59);
  expect(data[0]!.servers.map(({ trouble }) => trouble)).toEqual([null, 'no credit']);
});

test('engines can be added, read, renamed, paused, ordered and removed, and each change is audited', async () => {
  await addEngine(COMMAND_LINE, entry());
  expect(getEngine('box')).toEqual({ ...entry(), revision: expect.any(String) });
  await addEngine(COMMAND_LINE, entry({ id: 'other' }));
  await replaceEngine(COMMAND_LINE, 'box', entry({ id: 'cellar', servers: [server({ places: 3 })] }));
  expect(engines()[0]).toMatchObject({ id: 'cellar', servers: [{ places: 3 }] });
  expect(await changeEngine(COMMAND_LINE, 'cellar', { paused: true })).toMatchObject({ paused: true });
  expect(engines()[0]?.paused).toBe(true);
  await changeEngine(COMMAND_LINE, 'cellar', { paused: false });
  await changeEngine(COMMAND_LINE, 'other', { place: 0 });
  expect(ids()).toEqual(['other', 'cellar']);
  expect(engines()[1]?.paused).toBe(false);
  await removeEngine(COMMAND_LINE, 'other');
  expect(ids()).toEqual(['cellar']);
  expect((await listEngines()).data.map(({ id, from }) => [id, from])).toEqual([
    ['cellar', 'file'],
    ['preview', 'built-in'],
  ]);
  const acts = (await listAudit()).data.toReversed();
  expect(acts.map(({ act, subject }) => `${act} ${subject}`)).toEqual([
    'engine.add box',
    'engine.add other',
    'engine.change box',
    'engine.pause cellar',
    'engine.resume cellar',
    'engine.order other',
    'engine.remove other',
  ]);
  expect(acts[3]).toMatchObject({ before: { paused: false }, after: { paused: true, servers: 'http://127.0.0.1:9' } });
});

test('saving an engine that was read earlier does not undo a pause or resume made meanwhile', async () => {
  await addEngine(COMMAND_LINE, entry());
  const loaded = getEngine('box');
  await changeEngine(COMMAND_LINE, 'box', { paused: true });
  expect(await replaceEngine(COMMAND_LINE, 'box', { ...loaded, id: 'cellar' })).toMatchObject({ paused: true });
  expect(engines()[0]).toMatchObject({ id: 'cellar', paused: true });
  const paused = getEngine('cellar');
  await changeEngine(COMMAND_LINE, 'cellar', { paused: false });
  expect(await replaceEngine(COMMAND_LINE, 'cellar', paused)).toMatchObject({ paused: false });
});

test('a secret is sealed when it is entered, kept while its server address stays, and never returned', async () => {
  const told = [await addEngine(COMMAND_LINE, entry({ servers: [server({ secret: { value: SECRET } })] }))];
  const sealed = engines()[0]!.servers[0]!.secret!;
  expect(unseal(sealed)).toBe(SECRET);
  const kept = server({ url: 'http://127.0.0.1:9/below', secret: { kept: true } });
  told.push(await replaceEngine(COMMAND_LINE, 'box', entry({ servers: [kept] })));
  expect(engines()[0]!.servers[0]).toMatchObject({ url: 'http://127.0.0.1:9/below', secret: sealed });
  // pointing the server at another address requires entering the secret again
  const elsewhere = server({ url: 'http://127.0.0.2:9', secret: { kept: true } });
  await expect(replaceEngine(COMMAND_LINE, 'box', entry({ servers: [elsewhere] }))).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { issues: [{ path: '/servers/0/secret' }] },
  });
  // two servers at the same address keep their own secrets
  const two = (secrets: object[]) =>
    entry({ id: 'two', servers: secrets.map((secret, at) => server({ id: `s${at}`, secret })) });
  await addEngine(COMMAND_LINE, two([{ value: 'one' }, { value: 'other' }]));
  await replaceEngine(COMMAND_LINE, 'two', two([{ kept: true }, { kept: true }]));
  expect(engines()[1]!.servers.map(({ secret }) => unseal(secret!))).toEqual(['one', 'other']);
  const named = server({ secret: { env: 'BOX_SECRET' } });
  told.push(await replaceEngine(COMMAND_LINE, 'box', entry({ servers: [named] })), getEngine('box'));
  expect(told.map(({ servers }) => servers[0]!.secret)).toEqual([
    { kept: true },
    { kept: true },
    { env: 'BOX_SECRET' },
    { env: 'BOX_SECRET' },
  ]);
  for (const one of told) engineEntry.parse(one);
  const everything = JSON.stringify([told, await listEngines(), (await listAudit()).data]);
  expect(everything).not.toContain(SECRET);
  expect(everything).not.toContain((sealed as { sealed: string }).sealed);
});

test('every error of an engine is reported with its path, and nothing is changed', async () => {
  await addEngine(COMMAND_LINE, entry());
  await addEngine(COMMAND_LINE, entry({ id: 'taken' }));
  const before = written();
  const refused = async (given: EngineEntryWire, ...paths: string[]) => {
    const error = await addEngine(COMMAND_LINE, given).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'invalid_request', extra: { issues: paths.map(path => ({ path })) } });
  };
  await refused(entry(), '/id');
  await refused(entry({ id: 'Box 1' }), '/id');
  await refused(entry({ id: 'preview' }), '/id');
  await refused(entry({ id: 'new', type: 'gramophone' }), '/type');
  await refused(entry({ id: 'new', servers: [server({ url: 'ftp://x' })] }), '/servers/0/url');
  await refused(
    entry({ id: 'new', type: 'openai', options: { serves: [{ architecture: 'mango', call: 'songs' }] } }),
    '/options/serves/0/call',
  );
  await expect(replaceEngine(COMMAND_LINE, 'box', entry({ id: 'taken' }))).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { issues: [{ path: '/id', message: 'There is already an engine taken.' }] },
  });
  await expect(changeEngine(COMMAND_LINE, 'nobody', { paused: true })).rejects.toMatchObject({ code: 'not_found' });
  expect(() => getEngine('preview')).toThrow('built in');
  expect(written()).toBe(before);
  // a file with an issue in another entry is not changed either
  await db().transaction(tx => writeDocument('engines.json', '{"engines": [{"id": "odd", "type": "x"}]}', tx));
  await expect(addEngine(COMMAND_LINE, entry())).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('engines.json, /engines/0/'),
  });
});

test('the later of two conflicting engine changes is refused, but a pause meanwhile is no conflict', async () => {
  await addEngine(COMMAND_LINE, entry());
  const [ada, eve] = [getEngine('box'), getEngine('box')];
  await changeEngine(COMMAND_LINE, 'box', { paused: true });
  await replaceEngine(COMMAND_LINE, 'box', { ...ada, servers: [server({ places: 3 })] });
  const late = replaceEngine(COMMAND_LINE, 'box', { ...eve, options: {} });
  await expect(late).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(getEngine('box').servers).toMatchObject([{ places: 3 }]);
  expect(await replaceEngine(COMMAND_LINE, 'box', getEngine('box'))).toMatchObject({ paused: true });
});

test('changing the engine of COMFYUI_URL moves it into the file, and it can be neither removed nor renamed', async () => {
  Object.assign(env(), { COMFYUI_URL: 'http://127.0.0.1:9' });
  await refreshDocuments();
  await addEngine(COMMAND_LINE, entry());
  expect(ids()).toEqual(['box', 'comfyui']);
  expect(written()).not.toContain('"comfyui",\n      "type"');
  await expect(removeEngine(COMMAND_LINE, 'comfyui')).rejects.toMatchObject({
    message: expect.stringContaining('COMFYUI_URL'),
  });
  expect((await listEngines()).data[1]).toMatchObject({ id: 'comfyui', from: 'setting' });
  await changeEngine(COMMAND_LINE, 'comfyui', { paused: true });
  expect((await listEngines()).data[1]).toMatchObject({ id: 'comfyui', from: 'file', paused: true });
  await changeEngine(COMMAND_LINE, 'comfyui', { place: 0 });
  expect(ids()).toEqual(['comfyui', 'box']);
  // refused, since the setting would define the engine again, and not paused
  const ofSetting = { message: expect.stringContaining('COMFYUI_URL') };
  await expect(removeEngine(COMMAND_LINE, 'comfyui')).rejects.toMatchObject(ofSetting);
  const renamed = { ...getEngine('comfyui'), id: 'gpu' };
  await expect(replaceEngine(COMMAND_LINE, 'comfyui', renamed)).rejects.toMatchObject(ofSetting);
  expect(await listEngines()).toMatchObject({ data: [{ id: 'comfyui', paused: true }, {}, {}], problems: [] });
  // a later change of the setting is ignored and reported as a problem
  Object.assign(env(), { COMFYUI_URL: 'http://127.0.0.1:10' });
  await refreshDocuments();
  expect((await listEngines()).problems).toEqual([
    { file: 'COMFYUI_URL', message: expect.stringContaining('engines.json has comfyui') },
  ]);
});

test('the engine of COMFYUI_URL can be moved before other engines', async () => {
  Object.assign(env(), { COMFYUI_URL: 'http://127.0.0.1:9' });
  await addEngine(COMMAND_LINE, entry());
  await changeEngine(COMMAND_LINE, 'comfyui', { place: 0 });
  expect(ids()).toEqual(['comfyui', 'box']);
});

test('engines that are added at the same time are all kept', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map(id => addEngine(COMMAND_LINE, entry({ id }))));
  expect(ids().toSorted()).toEqual(['a', 'b', 'c', 'd']);
});
