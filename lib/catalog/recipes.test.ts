import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { fileRecipes } from '#lib/catalog/recipes';

process.env.LOG_LEVEL = 'silent';
const shipped = join(import.meta.dirname, '../../catalog');
const dir = mkdtempSync(join(tmpdir(), 'recipes-'));
process.env.CATALOG_DIR = dir;
afterAll(() => rmSync(dir, { recursive: true }));

const ship = (file: string) => copyFileSync(join(shipped, file), join(dir, file));

test('recipes are checked against the current architectures, and the last valid version stays in use', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const folder of ['architectures', 'recipes']) mkdirSync(join(dir, folder));
  ship('recipes/relight.json');
  expect(fileRecipes().errors[0]?.message).toContain('there is no architecture');
  ship('architectures/mango.json');
  vi.advanceTimersByTime(1_000);
  expect(fileRecipes()).toMatchObject({ files: { size: 1 }, errors: [] });
  // while a file is being written, its last valid version stays in use
  writeFileSync(join(dir, 'recipes/relight.json'), '{');
  vi.advanceTimersByTime(1_000);
  expect(fileRecipes()).toMatchObject({ files: { size: 1 }, errors: [{}] });
});
