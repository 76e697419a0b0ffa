import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compressBuild } from '#lib/http/compress-build';
import { StartError } from '#lib/start-error';
import { cutFonts } from './fonts.ts';

const ROOT = resolve(import.meta.dirname, '..');
const STAMP = join(ROOT, '.next/pomona-sources');
/** Files and folders that the build depends on. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'packages',
  'preview-engine',
  'public',
  'scripts/fonts.ts',
  'instrumentation.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Output of building and packing the client, which is not a source. */
const PACKED = /\/client\/(dist\/|[^/]*\.tgz$)/;

/** Builds the studio unless a build of exactly these sources exists. */
export async function ensureBuild(signal?: AbortSignal): Promise<void> {
  const sources = hashSources();
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === sources) return;
  console.log('Building the studio; this takes about half a minute and happens once per version.');
  await rm(STAMP, { force: true });
  await cutFonts();
  const next = join(ROOT, 'node_modules/next/dist/bin/next');
  const build = spawn(process.execPath, [next, 'build'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], signal });
  let output = '';
  for (const stream of [build.stdout, build.stderr]) stream.on('data', chunk => (output += String(chunk)));
  const [code] = await once(build, 'close');
  if (code !== 0) throw new StartError(`${output}\nThe build failed; the reason is above.`);
  await compressBuild(join(ROOT, '.next/static'));
  await writeFile(STAMP, sources);
}

/** Hashes all sources synchronously, as nothing else runs yet: asynchronous reads take three times as long. */
function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of SOURCES.flatMap(filesOf)) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  return hash.digest('hex');
}

function filesOf(name: string): string[] {
  const path = join(ROOT, name);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !PACKED.test(file))
    .toSorted();
}

if (import.meta.main) {
  await ensureBuild().catch(error => {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  });
}
