import { expect, test } from 'vitest';
import { SETTINGS } from '#lib/env';
import { envExample, readDocs, withSettings } from './docs-env.ts';

test('README.md and .env.example match the settings (npm run docs:env rewrites them)', async () => {
  const docs = await readDocs();
  expect(docs.envExample).toBe(envExample());
  expect(docs.readme).toBe(await withSettings(docs.readme));
});

test('a README without the settings markers is refused', async () => {
  await expect(withSettings('# Pomona\n')).rejects.toThrow('<!-- settings:begin -->');
});

test('every setting gets a table row, and the old text between the markers is replaced', async () => {
  const table = await withSettings('<!-- settings:begin -->\nstale text\n<!-- settings:end -->\n');
  expect(table).not.toContain('stale text');
  for (const name of Object.keys(SETTINGS)) expect(table).toContain(`| \`${name}\` `);
  expect(table).toMatch(/`SIGN_UP`.* One of open, invite, closed\. /);
});
