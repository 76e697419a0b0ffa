import { expect, test } from 'vitest';
import { format } from 'prettier';
import { SETTINGS } from '#lib/env';
import { envExample, readDocs, withSettings } from './docs-env.ts';

test('README and .env.example name every setting as it is; npm run docs:env rewrites them', async () => {
  const docs = await readDocs();
  expect(docs.envExample).toBe(envExample());
  const asMarkdown = (text: string) => format(text, { parser: 'markdown', printWidth: 120 });
  expect(await asMarkdown(docs.readme)).toBe(await asMarkdown(withSettings(docs.readme)));
});

test('a README without the markers is refused', () => {
  expect(() => withSettings('# Pomona\n')).toThrow('<!-- settings -->');
});

test('every setting has a row, and what stands between the markers goes', () => {
  const table = withSettings('<!-- settings -->\nstale text\n<!-- /settings -->\n');
  expect(table).not.toContain('stale text');
  for (const name of Object.keys(SETTINGS)) expect(table).toContain(`| \`${name}\` |`);
});
