import { mkdir, mkdtemp, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { documents, lockDocument, refreshDocuments, writeDocument } from '#lib/documents/documents';
import { badFiles, mirrorDocuments } from '#lib/documents/mirror';

const shut = vi.hoisted(() => new Set<unknown>());
// mocked, because root may read every folder
vi.mock(import('node:fs/promises'), async original => {
  const real = await original();
  const readdir = (...[folder, ...options]: Parameters<typeof real.readdir>) =>
    shut.has(folder) ? Promise.reject(new Error('it is shut')) : real.readdir(folder, ...options);
  return { ...real, readdir: readdir as typeof real.readdir };
});

await useOwnDatabase();
const folder = await mkdtemp(join(tmpdir(), 'pomona-mirror-'));
process.env.DATA_DIR = folder;
process.env.LOG_LEVEL = 'silent';

const check = (_path: string, text: string) => (text.includes('bad') ? 'it is bad' : null);
const engines = join(folder, 'engines.json');
const workflow = join(folder, 'catalog/workflows/poster.json');
const write = (path: string, text: string | null) => db().transaction(tx => writeDocument(path, text, tx));
const fileText = (file: string) => readFile(file, 'utf8').catch(() => null);
const stored = async (path: string) => (await refreshDocuments()).get(path);
const eventually = <T>(look: () => Promise<T>, wanted: T) =>
  vi.waitFor(async () => expect(await look()).toEqual(wanted), { timeout: 10_000, interval: 50 });

let mirror: Awaited<ReturnType<typeof mirrorDocuments>> | undefined;

beforeEach(async () => {
  await pool().query('delete from documents');
  await pool().query('delete from settings');
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await refreshDocuments();
});

afterEach(() => mirror?.close());

test('saving or deleting a file changes its document, and writing or removing a document changes its file', async () => {
  mirror = await mirrorDocuments(check);
  await writeFile(engines, 'one');
  await eventually(() => stored('engines.json'), 'one');
  await write('engines.json', 'two');
  await eventually(() => fileText(engines), 'two');
  await write('catalog/workflows/poster.json', 'graph');
  await eventually(() => fileText(workflow), 'graph');
  await rm(workflow);
  await eventually(() => stored('catalog/workflows/poster.json'), undefined);
  await write('engines.json', null);
  await eventually(() => fileText(engines), null);
});

test('an invalid file is not taken over and stays unchanged until a valid version is saved', async () => {
  mirror = await mirrorDocuments(check);
  await writeFile(engines, 'good');
  await eventually(() => stored('engines.json'), 'good');
  await writeFile(engines, 'bad one');
  // the change of another document shows that the invalid one has been checked
  await mkdir(join(folder, 'catalog/workflows'), { recursive: true });
  await writeFile(workflow, 'graph');
  await eventually(() => stored('catalog/workflows/poster.json'), 'graph');
  expect(await stored('engines.json')).toBe('good');
  expect(await fileText(engines)).toBe('bad one');
  expect(badFiles()).toEqual([{ file: engines, wrong: 'it is bad' }]);
  await writeFile(engines, 'better');
  await eventually(() => stored('engines.json'), 'better');
  await eventually(async () => badFiles(), []);
});

test('a file that cannot be read does not block others, and is taken over once it can be read', async () => {
  mirror = await mirrorDocuments(check);
  await writeFile(engines, '');
  // larger than can be read at once; removing read permission would not stop root
  await truncate(engines, 2 ** 32);
  await write('catalog/workflows/poster.json', 'graph');
  await eventually(() => fileText(workflow), 'graph');
  await eventually(async () => badFiles(), [{ file: engines, wrong: expect.stringContaining('greater than 2 GiB') }]);
  await writeFile(engines, 'good');
  await eventually(() => stored('engines.json'), 'good');
  await eventually(async () => badFiles(), []);
});

test('a folder that cannot be read blocks neither other folders nor its own known files', async () => {
  const own = join(folder, 'catalog/architectures/own.json');
  await mkdir(join(folder, 'catalog/workflows'), { recursive: true });
  mirror = await mirrorDocuments(check);
  await write('catalog/architectures/own.json', 'one');
  await eventually(() => fileText(own), 'one');
  const architectures = join(folder, 'catalog/architectures');
  shut.add(architectures);
  onTestFinished(() => shut.clear());
  await writeFile(workflow, 'graph');
  await eventually(() => stored('catalog/workflows/poster.json'), 'graph');
  expect(badFiles()).toEqual([{ file: architectures, wrong: 'it is shut' }]);
  await writeFile(own, 'two');
  await eventually(() => stored('catalog/architectures/own.json'), 'two');
});

test('a file that cannot be examined, such as a symlink loop, does not block others', async () => {
  await symlink(engines, engines);
  mirror = await mirrorDocuments(check);
  await write('catalog/workflows/poster.json', 'graph');
  await eventually(() => fileText(workflow), 'graph');
  expect(badFiles()).toEqual([{ file: engines, wrong: expect.stringContaining('ELOOP') }]);
});

test('concurrent changes of a locked document are all kept', async () => {
  const add = (word: string) =>
    db().transaction(async tx => {
      const before = await lockDocument('engines.json', tx);
      await writeDocument('engines.json', `${before ?? ''}${word}`, tx);
    });
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add));
  expect([...(await stored('engines.json'))!].toSorted().join('')).toBe('abcde');
});

test('when file and document both changed while no mirror was running, the newer one wins', async () => {
  const saved = async (text: string, at: number) => {
    await writeFile(engines, text);
    await utimes(engines, new Date(at), new Date(at));
  };
  await saved('older file', Date.now() - 60_000);
  await write('engines.json', 'newer document');
  mirror = await mirrorDocuments(check);
  expect(await fileText(engines)).toBe('newer document');
  await mirror.close();
  await write('engines.json', 'older document');
  await saved('newer file', Date.now() + 60_000);
  mirror = await mirrorDocuments(check);
  expect(await stored('engines.json')).toBe('newer file');
  expect(documents().get('engines.json')).toBe('newer file');
});

test('a document changed after the file was saved is not overwritten, even before its notification arrives', async () => {
  await write('engines.json', 'one');
  mirror = await mirrorDocuments(check);
  expect(await fileText(engines)).toBe('one');
  // another process writes without a notification, and this one looks before it learns of the change
  const silently = (text: string) =>
    pool().query(`update documents set text = $1, changed_at = clock_timestamp() + interval '1 minute'`, [text]);
  await silently('three');
  await writeFile(engines, 'two');
  await eventually(() => fileText(engines), 'three');
  await silently('four');
  await rm(engines);
  await eventually(() => fileText(engines), 'four');
  expect((await pool().query('select text from documents')).rows).toEqual([{ text: 'four' }]);
});

test('a removed document disappears even if another document was written after it', async () => {
  await write('engines.json', 'one');
  await write('catalog/workflows/poster.json', 'graph');
  expect(await stored('engines.json')).toBe('one');
  await write('engines.json', null);
  expect(await stored('engines.json')).toBeUndefined();
});

test('the removal of a document is recorded until the document is written again', async () => {
  const remembered = async () =>
    (await pool().query(`select name from settings where name like 'removed %'`)).rows.map(({ name }) => name);
  await write('never.json', null);
  await write('engines.json', 'one');
  await write('engines.json', null);
  expect(await remembered()).toEqual(['removed engines.json']);
  await write('engines.json', 'two');
  expect(await remembered()).toEqual([]);
});

test('an edit is noticed even if the clock of the database was set back', async () => {
  await write('engines.json', 'one');
  await write('catalog/workflows/poster.json', 'before the clock was set back');
  await pool().query(`update documents set changed_at = now() + interval '1 hour' where path <> 'engines.json'`);
  expect(await stored('engines.json')).toBe('one');
  await write('engines.json', 'two');
  expect(await stored('engines.json')).toBe('two');
});

test('syncs do not queue up while the database does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  mirror = await mirrorDocuments(check);
  const away = Promise.withResolvers<never>();
  const asked = vi.spyOn(db(), 'transaction').mockReturnValue(away.promise);
  onTestFinished(() => asked.mockRestore());
  await writeFile(engines, 'saved');
  vi.advanceTimersByTime(60_000);
  await vi.waitUntil(() => asked.mock.calls.length > 0);
  away.reject(new Error('the database is away'));
  await mirror.close();
  // the sync that waited, and one for all that came later
  expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
});
