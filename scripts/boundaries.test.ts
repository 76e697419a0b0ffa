import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GROUND, LAYERS } from '../oxlint.config.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** A line of code in a file, and part of the linter's message about it, or null when the line is allowed. */
const CASES: [file: string, line: string, says: string | null][] = [
  ['app/page.tsx', `import { db } from '#lib/db/client';`, 'names a verb of a domain'],
  ['app/own.tsx', `import { a } from '#lib/generations/read';`, null],
  ['components/studio/form.tsx', `import { a } from '#lib/generations/submit';`, 'through #lib/client'],
  ['components/studio/price.tsx', `import { a } from '#lib/catalog/price';`, null],
  ['components/ui/card.tsx', `import { a } from '#components/studio/form';`, 'knows none of them'],
  ['components/ui/menu.tsx', `import { a } from '#components/ui/button';`, null],
  ['components/studio/state.tsx', `import { a } from '#lib/status';`, null],
  ['lib/generations/page.ts', `import { a } from '#components/ui/button';`, 'lib knows no pages'],
  ['lib/cli/view.ts', `import { a } from 'react';`, 'lib knows no pages'],
  ['lib/contract/operations.ts', `import { a } from '#lib/db/client';`, 'pure zod'],
  ['lib/contract/fields.ts', `import { a } from '#lib/contract/operations';`, null],
  ['lib/catalog/price.ts', `import { a } from '#lib/env';`, 'The browser reads the catalog'],
  ['lib/ids.ts', `import { a } from '#lib/env';`, 'imports next to nothing'],
  ['lib/http/route.ts', `import { a } from '#lib/generations/submit';`, 'done by the domains'],
  ['lib/storage/local.ts', `import { a } from '#lib/accounts/accounts';`, 'bytes under keys'],
  ['lib/media/image.ts', `import { a } from '#lib/uploads/resolve';`, 'media reads and writes files'],
  ['lib/uploads/resolve.ts', `import { a } from '#lib/cast/handles';`, 'uploads may use'],
  ['lib/uploads/tickets.ts', `import { a } from '#lib/media/sniff';`, null],
  ['lib/cast/handles.ts', `import { a } from '#lib/engines/registry';`, 'cast may use'],
  ['lib/engines/fal.ts', `import { a } from '#lib/db/client';`, 'never rows or accounts'],
  ['preview-engine/draw.ts', `import { a } from '#lib/catalog/catalog';`, 'sees a job and files'],
  ['preview-engine/frames.ts', `import { a } from '#preview-engine/noise';`, null],
  ['preview-engine/sound.ts', `import { a } from '#lib/media/encode-audio';`, null],
  ['lib/accounts/ledger.ts', `import { a } from '#lib/generations/read';`, 'below the orchestrator'],
  ['lib/generations/read.ts', `import { a } from '#lib/http/route';`, 'transport-free'],
  ['lib/life/finish.ts', `import { a } from '#lib/generations/read';`, 'writes the states of a request'],
  ['lib/generations/wait.ts', `import { a } from '#lib/worker/run';`, 'generations is transport-free'],
  ['lib/worker/run.ts', `import { a } from '#lib/life/finish';`, null],
  ['lib/media-kind.ts', `import { a } from '#lib/env';`, 'imports next to nothing'],
  ['lib/catalog/load.ts', `import { a } from '#lib/accounts/ledger';`, 'whoever uses them'],
  ['lib/retention/sweep.ts', `import { a } from '#lib/http/route';`, 'retention may use'],
  ['lib/moderation/policy.ts', `import { a } from '#lib/accounts/ledger';`, 'judges words'],
  ['packages/client/client.ts', `import { a } from '#lib/errors';`, 'stands alone'],
  ['packages/client/pages.ts', `import { a } from './client.ts';`, null],
  ['lib/docs/check.ts', `import { a } from '#lib/db/client';`, 'speaks of the contract'],
  ['lib/docs/tables.ts', `import { a } from '#lib/contract/operations';`, null],
  ['lib/media/near.ts', `import { a } from './image';`, 'Import by name'],
  ['lib/log.ts', `const a = process.env.HOME;`, 'process.env'],
  ['lib/env.ts', `const a = process.env.HOME;`, null],
  ['lib/later.ts', `const a = (): void => void 0; Promise.resolve(1);`, 'Promises must be awaited'],
];

let folder: string;
let findings: { filename: string; message: string; help?: string }[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pomona-lint-'));
  copyFileSync(join(ROOT, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  for (const [file, line] of CASES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      `${line}\nexport default a;\n`.replace(/{ (\w+) }(.*)\nexport default a/, '{ $1 }$2\nexport default $1'),
    );
  }
  const options = { cwd: folder, encoding: 'utf8' as const, stdio: 'pipe' as const };
  try {
    execFileSync(
      process.execPath,
      [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--deny-warnings', '-f', 'json'],
      options,
    );
    findings = [];
  } catch (failure) {
    findings = JSON.parse((failure as { stdout: string }).stdout).diagnostics;
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(CASES)('the lint rules apply in %s: %s', (file, _line, says) => {
  const found = findings.filter(finding => finding.filename === file).map(({ message, help }) => `${message} ${help}`);
  expect(found).toEqual(says === null ? [] : [expect.stringContaining(says)]);
});

test('every folder of lib is in the table of layers', () => {
  const rooms = readdirSync(join(ROOT, 'lib'), { withFileTypes: true }).filter(entry => entry.isDirectory());
  const named = new Set(LAYERS.flatMap(layer => layer.files));
  expect(rooms.map(({ name }) => `lib/${name}`).filter(name => !named.has(name))).toEqual([]);
});

test('every import that the table of layers allows is used', () => {
  const used = new Map(LAYERS.map(layer => [layer, new Set<string>()]));
  for (const folder of ['app', 'components', 'lib', 'preview-engine'])
    for (const path of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      const file = `${folder}/${path}`;
      if (!/\.tsx?$/.test(file) || /\.test\.ts$|test-|compliance/.test(file)) continue;
      const layer = LAYERS.findLast(({ files }) =>
        files.some(name => file === `${name}.ts` || file.startsWith(`${name}/`)),
      );
      const named = readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import\() ?'#([^']+)'/g);
      for (const [, to] of named) if (layer) used.get(layer)!.add(to!);
    }
  const unused = [...used].flatMap(([{ files, may }, names]) =>
    may
      .filter(door => !GROUND.includes(door) && ![...names].some(name => `${name}/`.startsWith(`${door}/`)))
      .map(door => `${files.join(', ')} → ${door}`),
  );
  expect(unused).toEqual([]);
});

test('the folders of lib have no import cycles', () => {
  const roomOf = (path: string) => path.split('/')[0]!.replace(/\.ts$/, '');
  const doors = new Map<string, Set<string>>();
  for (const file of readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })) {
    const path = file.replaceAll('\\', '/');
    if (!path.endsWith('.ts') || /\.test\.ts$|test-|compliance/.test(path)) continue;
    const named = readFileSync(join(ROOT, 'lib', path), 'utf8').matchAll(/(?:from|import\() ?'#lib\/([^']+)'/g);
    const others = [...named].map(([, to]) => roomOf(to!)).filter(room => room !== roomOf(path));
    doors.set(roomOf(path), new Set([...(doors.get(roomOf(path)) ?? []), ...others]));
  }
  // folders that import no remaining folder are removed repeatedly; only cycles are left
  for (let left = -1; left !== doors.size;) {
    left = doors.size;
    for (const [room, others] of doors) if (![...others].some(other => doors.has(other))) doors.delete(room);
  }
  expect([...doors.keys()]).toEqual([]);
});

test('components call /v1 only through the client, except the docs playground and displayed snippets', () => {
  const files = ['components', 'lib/client'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  );
  const calling = files.filter(file => {
    if (!/(?<!\.test)\.tsx?$/.test(file)) return false;
    const source = readFileSync(join(ROOT, file), 'utf8');
    return /\b(fetch|XMLHttpRequest)\(/.test(source) && /\/v1\b|addressOf\(/.test(source);
  });
  // the snippets are only displayed
  expect(calling.toSorted()).toEqual(['components/docs/use-try.ts', 'components/studio/snippets.ts']);
});
