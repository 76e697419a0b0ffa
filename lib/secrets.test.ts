import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readOrMakeSecret } from '#lib/secrets';
import { StartError } from '#lib/start-error';

const folder = () => mkdtempSync(join(tmpdir(), 'pomona-secrets-'));

test('a secret is created once, and its file is accessible to its owner only', () => {
  const path = join(folder(), 'deep', 'media');
  const made = readOrMakeSecret(path);
  expect(made).toHaveLength(32);
  expect(readOrMakeSecret(path)).toEqual(made);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});

test('processes that create a secret at the same time all get the same one', async () => {
  const dir = folder();
  const program = `import { readOrMakeSecret } from '#lib/secrets'; console.log(readOrMakeSecret(process.argv[1]).toString('hex'))`;
  const run = promisify(execFile);
  const runs = Array.from({ length: 5 }, () =>
    run(process.execPath, ['--input-type=module', '-e', program, join(dir, 'media')], {
      cwd: join(import.meta.dirname, '..'),
    }),
  );
  const secrets = new Set((await Promise.all(runs)).map(({ stdout }) => stdout));
  expect(secrets.size).toBe(1);
  expect(readdirSync(dir)).toEqual(['media']);
});

test('a damaged secret file is an error that describes the expected content', () => {
  const path = join(folder(), 'media');
  writeFileSync(path, 'short');
  expect(() => readOrMakeSecret(path)).toThrow('64 hexadecimal digits');
});

test('a secret that cannot be read or written is a start error with the path and the cause', () => {
  const path = join(folder(), 'file');
  writeFileSync(path, '');
  const told = (message: RegExp) =>
    expect.objectContaining({ constructor: StartError, message: expect.stringMatching(message) });
  expect(() => readOrMakeSecret(join(path, 'secret-key'))).toThrow(told(/cannot read .*secret-key: ENOTDIR/));
  // the file name fits the limit of the file system, that of its draft is too long
  expect(() => readOrMakeSecret(join(folder(), 'x'.repeat(250)))).toThrow(told(/cannot write to .*: ENAMETOOLONG/));
});
