import { spawn } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EMBEDDED_USER } from '#lib/db/address';
import { asOwner, installedBinaries, reachableBinaries, run } from '#lib/db/binaries';
import { nobody } from '#lib/db/cluster';
import { SETTINGS } from '#lib/db/embedded';

// Runs the oldest Postgres that Pomona supports, with its data and socket in a new folder, until SIGTERM.

const { io_method: _newer, ...known } = SETTINGS;

const [, , folder = ''] = process.argv;
await mkdir(folder, { mode: 0o700 });
const owner = process.getuid?.() === 0 ? await nobody() : undefined;
if (owner) await chown(folder, owner.uid, owner.gid);
const installed = installedBinaries(createRequire(import.meta.url).resolve('postgres-15'));
const bin = join(await reachableBinaries(owner, installed), 'bin');
const initdb = ['-U', EMBEDDED_USER, '--encoding=UTF8', '--locale=C.UTF-8', '--auth=trust'];
await run(join(bin, 'initdb'), ['-D', folder, ...initdb], asOwner(owner));

const settings = { ...known, listen_addresses: '', unix_socket_directories: folder };
const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
const postgres = spawn(join(bin, 'postgres'), ['-D', folder, ...options], {
  ...asOwner(owner),
  // callers read from its log when it accepts connections
  stdio: ['ignore', 1, 1],
});
// SIGINT is a fast shutdown: open transactions are rolled back
process.once('SIGTERM', () => postgres.kill('SIGINT'));
postgres.once('exit', code => process.exit(code ?? 1));
