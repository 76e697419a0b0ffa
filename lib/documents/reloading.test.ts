import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { reloading } from '#lib/documents/reloading';

const dir = mkdtempSync(join(tmpdir(), 'reloading-'));
const file = join(dir, 'value');
afterAll(() => rmSync(dir, { recursive: true }));

function write(text: string) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

const counted = (everyMs: number) => {
  let loads = 0;
  const value = reloading<string>(
    () => [file],
    previous => {
      loads += 1;
      return `${previous ?? ''}${readFileSync(file, 'utf8')}`;
    },
    { everyMs },
  );
  return { value, loads: () => loads };
};

test('a changed file is loaded again, an unchanged one is not', () => {
  write('a');
  const { value, loads } = counted(0);
  expect([value(), value()]).toEqual(['a', 'a']);
  expect(loads()).toBe(1);
  write('b');
  expect([value(), value()]).toEqual(['ab', 'ab']);
  expect(loads()).toBe(2);
});

test('files are not checked again before the interval has passed', () => {
  write('a');
  const { value } = counted(3_600_000);
  value();
  write('b');
  expect(value()).toBe('a');
});
