import { chown, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EMBEDDED_USER } from '#lib/db/address';
import { asOwner, installedBinaries, reachableBinaries, run } from '#lib/db/binaries';
import { nobody } from '#lib/db/cluster';

// The oldest Postgres that Pomona takes, in a new folder, which also has its socket. It serves until it is told to end.

/** As the embedded one has it, apart from what an older one does not know. */
const SETTINGS = {
  listen_addresses: '',
  max_connections: '300',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
};

const [, , folder = ''] = process.argv;
await mkdir(folder, { mode: 0o700 });
const owner = process.getuid?.() === 0 ? await nobody() : undefined;
if (owner) await chown(folder, owner.uid, owner.gid);
const installed = installedBinaries(createRequire(import.meta.url).resolve('postgres-15'));
const binaries = await reachableBinaries(owner, installed);
const postgres = (program: string, ...args: string[]) =>
  run(join(binaries, 'bin', program), ['-D', folder, ...args], asOwner(owner));

await postgres('initdb', '-U', EMBEDDED_USER, '--encoding=UTF8', '--locale=C.UTF-8', '--auth=trust');
const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder });
const options = settings.map(([name, value]) => `-c ${name}='${value}'`).join(' ');
await postgres('pg_ctl', 'start', '--wait', '--log', join(folder, 'log'), '--options', options);
console.log('Postgres serves');
process.once('SIGTERM', () => void postgres('pg_ctl', 'stop', '--mode', 'fast').then(() => process.exit()));
setInterval(() => {}, 2 ** 30);
