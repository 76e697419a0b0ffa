import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const MODULE = join(import.meta.dirname, 'env-file.ts');

/** Returns the values of these variables in a program that runs in a folder. */
function readIn(cwd: string, env: Partial<NodeJS.ProcessEnv>, ...names: string[]): unknown[] {
  const script = `console.log(JSON.stringify(${JSON.stringify(names)}.map(name => process.env[name] ?? null)))`;
  return JSON.parse(
    execFileSync(process.execPath, ['--import', MODULE, '-e', script], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      encoding: 'utf8',
    }),
  );
}

test('variables from .env are set, but do not override variables of the environment, even empty ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-env-'));
  expect(readIn(folder, { PORT: '4000' }, 'PORT', 'ENGINE_KEY')).toEqual(['4000', null]);
  writeFileSync(join(folder, '.env'), 'PORT=5000\nHOST=0.0.0.0\nENGINE_KEY="of an engine"\n#GEM_PRICE=2\n');
  const names = ['PORT', 'HOST', 'ENGINE_KEY', 'GEM_PRICE'];
  expect(readIn(folder, { PORT: '4000', HOST: '' }, ...names)).toEqual(['4000', '', 'of an engine', null]);
});

test.each([
  ['with a mark at its start', '\ufeffPORT=5000\r\nHOST=0.0.0.0\r\n', 'utf8'],
  ['with two bytes a character', '\ufeffPORT=5000\r\nHOST=0.0.0.0\r\n', 'utf16le'],
] as const)('a .env file saved on Windows is read from its first line on, %s', (_, text, encoding) => {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-env-'));
  writeFileSync(join(folder, '.env'), text, encoding);
  expect(readIn(folder, {}, 'PORT', 'HOST')).toEqual(['5000', '0.0.0.0']);
});

test('every program loads .env before any other import', () => {
  for (const program of ['start.ts', 'server.ts', 'worker.ts', 'cli.ts']) {
    const source = readFileSync(join(import.meta.dirname, '../..', program), 'utf8');
    expect(source.split('\n')[0]).toBe(`import '#lib/process/env-file';`);
  }
});
