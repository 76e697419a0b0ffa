import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const execute = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

let folder: string;
let tarball: string;

/** Creates a separate project with the packed package installed. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pomona-client-'));
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: import.meta.dirname,
  });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1)) as [{ filename: string }];
  tarball = join(folder, filename);
  const target = join(folder, 'node_modules/pomona-client');
  await mkdir(target, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  // other packages that the guides import
  for (const name of ['@modelcontextprotocol', 'openai'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true }));

/** Compiles a program and returns the compiler's output, which is empty without errors. */
async function compile(source: string, ...more: string[]): Promise<string> {
  await writeFile(join(folder, 'program.ts'), source);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--types',
    '',
  ];
  return execute(process.execPath, [tsc, ...flags, ...more, 'program.ts'], { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

test('the package has no dependencies and is smaller than 40 kB', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules/pomona-client/package.json'), 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  expect((await stat(tarball)).size).toBeLessThan(40_000);
});

test('the types know the fields and options of catalog models, and accept any field for other models', async () => {
  const program = `
    import { createClient, each, InsufficientGemsError, verifyWebhook, type Generation } from 'pomona-client';
    const pomona = createClient({ baseUrl: 'http://localhost', key: 'k' });
    const request = await pomona.run('mango', { prompt: 'a fig', aspect_ratio: '16:9', image: new Blob([]), seed: 7 });
    const url: string = request.result.url;
    const any = await pomona.run('one_of_ours', { whatever: [1, 2] });
    const found: Generation = await pomona.getRequestStatus({ params: { request_id: 'r' }, query: { wait: 5 } });
    const event = await verifyWebhook('', new Headers(), 'whsec_');
    if (event.type === 'request.completed') event.data.result?.url;
    if (event.type === 'balance.low') event.data.threshold;
    if (event.type === 'webhook.test') event.data.webhook_id.length;
    for await (const one of each(pomona.listDeliveries, { params: { webhook_id: 'w' } })) one.tries.length;
    // @ts-expect-error which webhook has to be said
    each(pomona.listDeliveries);
    for await (const one of each(pomona.listRequests, { query: { status: ['completed', 'failed'] } })) one.billing.gems_charged;
    if (new Error() instanceof InsufficientGemsError) console.log(url, any, found);`;
  expect(await compile(program)).toBe('');
});

test.each([
  [`pomona.run('mango', { prompt: 'a fig', aspect_ratio: '16:10' })`, `'"16:10"' is not assignable`],
  [`pomona.run('mango', { prompt: 'a fig', aspectratio: '16:9' })`, `'aspectratio' does not exist`],
  [`pomona.run('mango', { aspect_ratio: '16:9' })`, `'prompt' is missing`],
  [`pomona.createUpload({ body: { content_type: 'text/plain' } })`, `'"text/plain"' is not assignable`],
])('the compiler refuses %s', async (line, says) => {
  const program = `import { createClient } from 'pomona-client';\nconst pomona = createClient({});\nawait ${line};`;
  expect(await compile(program)).toContain(says);
});

test('the comments on the fields are whole sentences', async () => {
  const types = await readFile(join(folder, 'node_modules/pomona-client/dist/catalog.d.ts'), 'utf8');
  expect(types).toContain('mango takes');
  expect(types).not.toMatch(/\.\.|\w \*\/$/m);
});

test('the TypeScript examples in the guides compile', async () => {
  const guides = (await readdir(join(ROOT, 'docs'))).map(name => `docs/${name}`);
  const programs: string[] = [];
  for (const guide of [...guides, 'packages/client/README.md']) {
    const text = await readFile(join(ROOT, guide), 'utf8');
    for (const [, code] of text.matchAll(/^```ts\n([^]*?)^```$/gm)) {
      programs.push(`${guide.replaceAll('/', '-')}-${programs.length}.ts`);
      await writeFile(join(folder, programs.at(-1)!), `export {};\n${code}`);
    }
  }
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--skipLibCheck'];
  expect(programs.length).toBeGreaterThan(5);
  expect(await compile('', ...types, ...programs)).toBe('');
});

test('a deployment can add the types of its own models', async () => {
  const { catalogFile } = await import('./catalog-types.ts');
  const properties = { prompt: { type: 'string' }, size: { type: 'string', enum: ['S', 'L'] } };
  const own = {
    id: 'one_of_ours',
    name: 'Ours',
    description: 'Ours.',
    gems: 1,
    options_by_model: {},
    input_schema: { properties, required: ['prompt'] },
  };
  await writeFile(join(folder, 'pomona.d.ts'), catalogFile([own as never]));
  const program = (size: string) =>
    `import { createClient } from 'pomona-client';\nawait createClient({}).run('one_of_ours', { prompt: 'a fig', size: '${size}' });`;
  expect(await compile(program('L'), 'pomona.d.ts')).toBe('');
  expect(await compile(program('XL'), 'pomona.d.ts')).toContain(`'"XL"' is not assignable`);
});

test('the types of a deployment override those of the package for the same model', async () => {
  const { catalogFile } = await import('./catalog-types.ts');
  const properties = {
    prompt: { type: 'string' },
    model_id: { type: 'string', enum: ['mango-v9'] },
    ripeness: { type: 'number' },
  };
  const own = {
    id: 'mango',
    name: 'Mango',
    description: 'Ours.',
    gems: 1,
    options_by_model: {},
    input_schema: { properties, required: ['prompt'] },
  };
  await writeFile(join(folder, 'mango.d.ts'), catalogFile([own as never]));
  const program = (config: string) =>
    `import { createClient } from 'pomona-client';\nawait createClient({}).run('mango', { prompt: 'a fig', ${config} });`;
  expect(await compile(program(`model_id: 'mango-v9', ripeness: 1`), 'mango.d.ts')).toBe('');
  expect(await compile(program(`aspect_ratio: '16:9'`), 'mango.d.ts')).toContain(`'aspect_ratio' does not exist`);
});

test('the installed package and its command can be loaded', async () => {
  await writeFile(
    join(folder, 'load.js'),
    `import * as all from 'pomona-client'; console.log(Object.keys(all).length);`,
  );
  const { stdout } = await execute(process.execPath, ['load.js'], { cwd: folder });
  expect(Number(stdout)).toBeGreaterThan(10);
  const help = await execute(process.execPath, ['node_modules/pomona-client/dist/cli.js', '--help'], { cwd: folder });
  expect(help.stdout).toContain('pomona-run MODEL "PROMPT"');
});
