import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { getArchitecture, loadCatalog } from '#lib/catalog/catalog';
import type { FileError } from '#lib/documents/json-file';

const shipped = join(import.meta.dirname, '../../catalog');
const fileOf = (id: string) =>
  JSON.parse(readFileSync(join(shipped, `architectures/${id}.json`), 'utf8')) as Record<string, unknown>;

const dir = mkdtempSync(join(tmpdir(), 'catalog-'));
afterAll(() => rmSync(dir, { recursive: true }));
beforeEach(() => {
  rmSync(join(dir, 'architectures'), { recursive: true, force: true });
  mkdirSync(join(dir, 'architectures'));
});

/** Replaces the file by a new one, as editors do. */
function write(id: string, content: unknown) {
  const path = join(dir, 'architectures', `${id}.json`);
  writeFileSync(`${path}.new`, typeof content === 'string' ? content : JSON.stringify(content));
  renameSync(`${path}.new`, path);
}

const places = (errors: FileError[]) => errors.map(({ place }) => place);

test('the shipped catalog has no errors and lists 16 architectures, mango first', () => {
  const { errors, list } = loadCatalog(shipped);
  expect(errors).toEqual([]);
  expect(list().map(({ id }) => id)).toHaveLength(16);
  expect(list()[0]?.id).toBe('mango');
});

test('adding a file adds an architecture and leaves the others unchanged', () => {
  write('kiwi', fileOf('kiwi'));
  const before = loadCatalog(dir);
  write('papaya', { ...fileOf('kiwi'), id: 'papaya', name: 'A papaya' });
  const after = loadCatalog(dir, before);
  expect(after.list().map(({ id }) => id)).toEqual(['papaya', 'kiwi']);
  expect(after.revision).not.toBe(before.revision);
  expect(after.find('kiwi')).toBe(before.find('kiwi'));
});

test('an invalid file is reported by path, while its last valid version and the other files stay in use', () => {
  write('kiwi', fileOf('kiwi'));
  write('plum', fileOf('plum'));
  const good = loadCatalog(dir);
  write('kiwi', { ...fileOf('kiwi'), price: { gems: -1 } });
  write('plum', '{ "id": ');
  write('lemon', fileOf('lemon'));
  const broken = loadCatalog(dir, good);
  expect(broken.list().map(({ id }) => id)).toEqual(['kiwi', 'plum', 'lemon']);
  expect(broken.find('kiwi')?.price.gems).toBe(270);
  expect(broken.errors.map(({ file }) => file.slice(-9))).toEqual(['kiwi.json', 'plum.json']);
  expect(places(broken.errors)).toEqual(['/price/gems', '']);
  write('kiwi', { ...fileOf('kiwi'), price: { gems: 5 } });
  const mended = loadCatalog(dir, broken);
  expect(mended.find('kiwi')?.price.gems).toBe(5);
});

test('deleting a file removes its architecture, and an empty folder is an error', () => {
  write('kiwi', fileOf('kiwi'));
  const before = loadCatalog(dir);
  rmSync(join(dir, 'architectures/kiwi.json'));
  const after = loadCatalog(dir, before);
  expect(after.find('kiwi')).toBeNull();
  expect(after.errors).toHaveLength(1);
});

test('an unknown id is refused with the three most similar ids', () => {
  expect(() => getArchitecture('plumm', loadCatalog(shipped))).toThrow(/nearest are plum, (\w+, \w+);/);
});

test('an architecture written by an operator replaces the file of the same id or is added to the list', () => {
  write('kiwi', fileOf('kiwi'));
  const text = (id: string, more: object) => JSON.stringify({ ...fileOf('kiwi'), id, ...more });
  const own = new Map([
    ['catalog/architectures/kiwi.json', text('kiwi', { description: 'Mine.' })],
    ['catalog/architectures/papaya.json', text('papaya', { name: 'Papaya' })],
    ['catalog/workflows/fig.json', text('fig', {})],
  ]);
  const { list, errors } = loadCatalog(dir, undefined, own);
  expect(errors).toEqual([]);
  expect(list().map(({ id, description }) => [id, description === 'Mine.'])).toEqual([
    ['kiwi', true],
    ['papaya', false],
  ]);
});

test('a file whose name differs from its id is an error', () => {
  write('papaya', fileOf('kiwi'));
  expect(places(loadCatalog(dir).errors)).toEqual(['/id']);
});

test('an unknown id is refused with the nearest ids, and a retired architecture is refused as retired', () => {
  write('kiwi', { ...fileOf('kiwi'), state: 'retired' });
  write('plum', fileOf('plum'));
  const catalog = loadCatalog(dir);
  expect(() => getArchitecture('plumm', catalog)).toThrowError(
    expect.objectContaining({ code: 'architecture_not_found', message: expect.stringContaining('nearest are plum') }),
  );
  expect(() => getArchitecture('kiwi', catalog)).toThrowError(
    expect.objectContaining({ code: 'architecture_retired', message: expect.stringContaining('plum') }),
  );
  expect(catalog.list().map(({ id }) => id)).toEqual(['plum']);
  expect(catalog.find('kiwi')?.state).toBe('retired');
});
