import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { recipesResponse } from '#lib/catalog/recipes-response';
import { env } from '#lib/env';

const dir = mkdtempSync(join(tmpdir(), 'pomona-revision-'));
cpSync(env().CATALOG_DIR, dir, { recursive: true });
Object.assign(env(), { CATALOG_DIR: dir });
afterAll(() => rmSync(dir, { recursive: true }));

test('the recipes response is rebuilt when a recipe file changes, even if the catalog does not', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const nameOf = () => recipesResponse().recipes.find(({ id }) => id === 'storyboard')?.name;
  const [before, file] = [nameOf(), join(dir, 'recipes', 'storyboard.json')];
  expect(before).toBe('Storyboard');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"Storyboard"', '"Board of a story"'));
  // files are checked once a second
  vi.advanceTimersByTime(1_000);
  expect(nameOf()).toBe('Board of a story');
  vi.useRealTimers();
});
