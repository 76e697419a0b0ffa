import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ANYWHERE } from '#lib/contract/operation';
import { anchorOf } from '#lib/docs/anchor-of';
import { contents, docsPages, standalone } from '#lib/docs/pages';
import { docsSections } from '#lib/docs/sections';
import { ERROR_STATUS } from '#lib/errors';
import { tools } from '#lib/mcp/tools';

const pages = docsPages();

test('every page has a unique path, a title and a summary that is listed in the contents', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  for (const { path, title, summary } of pages) {
    expect(title, path).not.toBe('');
    expect(summary.length, path).toBeGreaterThan(8);
    expect(contents()).toContain(`${path}.md): ${summary}`);
  }
});

/** Pages of the app that guides link to. */
const APP = /^\/(account\/\w+|llms\.txt)$/;

test.each(pages.filter(({ kind }) => kind === 'guide'))(
  'the links of $path lead to existing pages and anchors',
  ({ path, markdown }) => {
    const anchors = new Map(
      pages.map(page => [page.path, [...page.markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text))]),
    );
    for (const [, target = ''] of markdown.matchAll(/\]\(([^)]+)\)/g)) {
      if (target.startsWith('https:') || APP.test(target) || target === '/docs') continue;
      const [page, anchor] = target.split('#');
      const found = anchors.get(page || path);
      expect(found, target).toBeDefined();
      if (anchor) expect(found, target).toContain(anchor);
    }
  },
);

test.each(['README.md', 'packages/client/README.md', ...globSync('docs/*.md')])(
  'the relative links of %s lead to existing files',
  file => {
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
      if (!/^(https?:|\/)/.test(target)) expect(existsSync(join(dirname(file), target)), target).toBe(true);
    }
  },
);

test('a page as text links to other text pages by absolute URLs', () => {
  const text = standalone(pages.find(({ path }) => path === '/docs/first-request')!);
  expect(text).toContain('](http://localhost:3000/docs/waiting.md)');
  expect(text).not.toMatch(/\]\(\/docs/);
});

test.each(pages.filter(({ kind }) => kind === 'operation'))(
  'the text of $path names the refusals that any operation can give',
  ({ markdown }) => {
    for (const code of ANYWHERE) expect(markdown).toContain(`${ERROR_STATUS[code]} \`${code}\``);
  },
);

test('the text of a model names how many files a list takes, and which numbers are whole', () => {
  const textOf = (id: string) => pages.find(({ path }) => path === `/docs/models/${id}`)?.markdown;
  expect(textOf('cherry')).toMatch(/^\| `videos` .* up to 1 item \|$/m);
  expect(textOf('seed_audio')).toMatch(/^\| `sample_rate` .* whole number; 8000 to 48000; default `48000` \|$/m);
});

test('the search index has every page and each section once', () => {
  const sections = docsSections();
  const hrefs = sections.map(({ href }) => href);
  expect(new Set(hrefs).size).toBe(hrefs.length);
  for (const { path } of pages) expect(hrefs).toContain(path);
  expect(sections.find(({ href }) => href === '/docs/errors#handle_taken-409')?.text).toContain('has this handle');
});

test('every database command in the guide to running fails if its database URL is not set', () => {
  const { markdown } = pages.find(({ path }) => path === '/docs/running')!;
  const blocks = [...markdown.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  const usesDatabase = blocks.filter(code => code.includes('DATABASE_DIRECT_URL'));
  expect(usesDatabase).toHaveLength(6);
  const stubs = ['pg_dump', 'pg_restore', 'psql', 'npm', 'tar', 'printf'].map(name => `${name}() { echo "$@"; }`);
  for (const code of usesDatabase) {
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', [...stubs, code].join('\n')], {
      env: { NODE_ENV: 'test' },
      encoding: 'utf8',
    });
    expect({ stdout, stderr }, code).toEqual({ stdout: '', stderr: expect.stringContaining('URL') });
  }
});

test('the guide to agents names every tool, and no other', () => {
  const rows = readFileSync('docs/agents.md', 'utf8').match(/^\| `.*$/gm) ?? [];
  const named = rows.flatMap(row => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(Object.keys(tools).toSorted());
});
