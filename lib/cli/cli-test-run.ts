import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { UNSET } from '#lib/process/test-settings';

const ROOT = join(import.meta.dirname, '../..');
const CLI = ['--import', join(ROOT, 'scripts/quick-start.ts'), join(ROOT, 'cli.ts')];

interface Run {
  code: number;
  out: string;
  err: string;
}

/** Runs a command as a shell would, with `LOG_LEVEL=debug` so that tests see everything that could be logged. */
export const pomona = (...args: string[]): Promise<Run> => pomonaWith({}, ...args);

export const pomonaWith = (settings: Record<string, string>, ...args: string[]): Promise<Run> =>
  new Promise(done => {
    const { input, hangUp, ...env } = settings;
    const child = execFile(
      process.execPath,
      [...CLI, ...args],
      { env: { ...UNSET, ...process.env, LOG_LEVEL: 'debug', ...env } },
      (_, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end(input ?? '');
    if (hangUp) child.stdout?.destroy();
  });
