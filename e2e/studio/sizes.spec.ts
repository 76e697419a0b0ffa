import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ROOT } from '../process.ts';

/** Maximum KiB of JavaScript, as sent, that a page loads initially; the first entry whose path matches applies. */
const MOST: [path: string, size: number][] = [
  ['/create', 161.5],
  ['/', 150],
];

interface RouteStats {
  route: string;
  firstLoadChunkPaths: string[];
}

test('the initial JavaScript of every page is within its size limit', () => {
  const file = join(ROOT, '.next/diagnostics/route-bundle-stats.json');
  const routes = JSON.parse(readFileSync(file, 'utf8')) as RouteStats[];
  const sizes = routes.map(({ route, firstLoadChunkPaths }) => {
    const bytes = firstLoadChunkPaths.reduce((sum, path) => sum + statSync(join(ROOT, `${path}.br`)).size, 0);
    return { route, size: Math.round(bytes / 102.4) / 10, most: MOST.find(([path]) => route.startsWith(path))![1] };
  });
  expect(sizes.map(({ route }) => route)).toEqual(expect.arrayContaining(['/', '/create', '/history', '/docs']));
  expect(sizes.filter(({ size, most }) => size > most)).toEqual([]);
});
