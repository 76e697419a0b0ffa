import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
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
import { dirname, join } from 'node:path';
import { EMBEDDED_USER, clusterLink, loginFile, socketFolder } from '#lib/db/address';
import { asOwner, reachableBinaries, reaches, run, SYSTEM_FOLDER, type Owner } from '#lib/db/binaries';
import { env } from '#lib/env';
import { cannotWrite, StartError } from '#lib/start-error';

export interface Cluster {
  /** Real path of the data directory. */
  folder: string;
  /** Folder with bin/postgres, bin/initdb and bin/pg_ctl. */
  binaries: string;
  /** User that runs Postgres; set only when this process is root, because Postgres refuses to run as root. */
  owner: Owner | undefined;
}

/** Returns the cluster of DATA_DIR, and creates it when there is none. */
export async function prepareCluster(): Promise<Cluster> {
  const link = clusterLink();
  const root = process.getuid?.() === 0;
  await prepareDataDir(root);
  const existing = await findCluster(link);
  const owner = root ? await (existing ? ownerOf(existing) : nobody()) : undefined;
  const binaries = await reachableBinaries(owner);
  if (!existing) await createCluster(link, binaries, owner);
  const folder = existing ?? (await realpath(link));
  await checkCluster(folder, binaries, owner);
  await prepareSocketFolder(socketFolder(folder), owner);
  return { folder, binaries, owner };
}

async function prepareDataDir(root: boolean): Promise<void> {
  const { DATA_DIR } = env();
  try {
    // other users may traverse the folder but not list it: as root, the database runs under another user id
    if (await mkdir(DATA_DIR, { recursive: true })) await chmod(DATA_DIR, root ? 0o711 : 0o700);
  } catch (cause) {
    throw cannotWrite(DATA_DIR, cause);
  }
}

async function findCluster(link: string): Promise<string | null> {
  if (!(await lstat(link).catch(() => null))) return null;
  return realpath(link).catch(cause => {
    throw new StartError(
      `${link} points at a database that is gone. Bring it back, or remove the link and load a dump (docs/running.md says how). ` +
        'To start empty, set another DATA_DIR: the media in this one belong to the database that is gone.',
      { cause },
    );
  });
}

async function createCluster(link: string, binaries: string, owner: Owner | undefined): Promise<void> {
  const here = !owner || (await reaches(dirname(link), owner));
  if (!here) await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const parent = here ? dirname(link) : SYSTEM_FOLDER;
  const fresh = await mkdtemp(join(parent, 'postgres-')).catch(cause => {
    throw cannotWrite(parent, cause);
  });
  if (owner) await chown(fresh, owner.uid, owner.gid);
  const auth = process.platform === 'win32' ? await makeLogin() : ['--auth-local=trust', '--auth-host=reject'];
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const args = ['-D', fresh, '-U', EMBEDDED_USER, '--data-checksums', ...locale, ...auth];
  await run(join(binaries, 'bin/initdb'), args, asOwner(owner)).catch(async cause => {
    await rm(fresh, { recursive: true, force: true });
    throw new StartError(`The embedded database cannot be made: ${cause.stderr || cause.message}`, { cause });
  });
  try {
    // rename and symlink are atomic, and fail when another process was faster
    await (here ? rename(fresh, link) : symlink(fresh, link));
  } catch (error) {
    await rm(fresh, { recursive: true });
    if (!(await stat(join(link, 'PG_VERSION')).catch(() => null))) throw error;
  }
}

/** Chooses a loopback port and a password for Windows, which has no unix sockets. */
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
  if (!trusted) throw new StartError(`${folder} is needed for the database's socket but belongs to another user.`);
}

async function ownerOf(folder: string): Promise<Owner> {
  const { uid, gid } = await stat(folder);
  if (uid !== 0) return { uid, gid };
  const other = await nobody();
  throw new StartError(
    `The database in ${folder} belongs to root, and Postgres refuses to run as root. Run: chown -R ${other.uid}:${other.gid} ${folder}`,
  );
}

/** Returns the user that the database runs as when this process is root. */
export async function nobody(): Promise<Owner> {
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  return entry ? { uid: Number(entry[1]) >>> 0, gid: Number(entry[2]) >>> 0 } : { uid: 65534, gid: 65534 };
}
