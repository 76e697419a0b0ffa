import { expect, test } from 'vitest';
import { SETTINGS } from '#lib/env';
import { envExample, readDocs, withSettings } from './docs-env.ts';

test('README and .env.example name every setting as it is; npm run docs:env rewrites them', async () => {
  const docs = await readDocs();
  expect(docs.envExample).toBe(envExample());
  expect(docs.readme).toBe(await withSettings(docs.readme));
});

test('a README without the markers is refused', async () => {
  await expect(withSettings('# Pomona\n')).rejects.toThrow('<!-- settings:begin -->');
});

test('every setting has a row, and what stands between the markers goes', async () => {
  const table = await withSettings('<!-- settings:begin -->\nstale text\n<!-- settings:end -->\n');
  expect(table).not.toContain('stale text');
  for (const name of Object.keys(SETTINGS)) expect(table).toContain(`| \`${name}\` `);
  expect(table).toMatch(/`SIGN_UP`.* One of open, invite, closed\. /);
});
