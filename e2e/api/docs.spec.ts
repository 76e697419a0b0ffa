import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import sharp from 'sharp';
import { Webhook } from 'standardwebhooks';
import { callCode } from '#lib/docs/call-code';
import { exampleCall } from '#lib/docs/example';
import { docsPages } from '#lib/docs/pages';
import { readOpenapi } from '#lib/docs/read-openapi';
import { isShared } from '#lib/docs/reference';
import { openapiDocument } from '#lib/openapi';
import { expect, test } from '../fixtures.ts';
import { mainDatabase } from '../house.ts';
import { freePort, ROOT } from '../process.ts';

const execute = promisify(execFile);

// a long timeout: images are generated in one language after the other, and the client is packed
test.describe.configure({ timeout: 240_000 });
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Commands that run the code of each language. A runtime that the machine lacks is named in the report. */
const RUNNERS: Record<string, { file: string; command: string[] }> = {
  sh: { file: 'step.sh', command: ['bash', '-euo', 'pipefail'] },
  ts: { file: 'step.mts', command: [process.execPath] },
  python: { file: 'step.py', command: ['python3'] },
  go: { file: 'step.go', command: ['go', 'run'] },
  php: { file: 'step.php', command: ['php'] },
};
/** Pages whose code sets up machines or moves the files of a deployment; only its syntax is checked. */
const NOT_RUN = new Set(['/docs/storage', '/docs/running']);

const isThere = (program: string) => spawnSync('which', [program]).status === 0;

interface Block {
  language: string;
  code: string;
}

const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));

/** Path of Pomona in the guide to the client. */
const POMONA = '/opt/pomona';

/** Creates a reader's project: images, the `pomona` command, and the packages unless the guide installs them. */
async function openProject({ withPackages = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pomona-docs-'));
  const picture = sharp({ create: { width: 240, height: 300, channels: 3, background: '#ef6a2f' } });
  for (const name of ['portrait.png', 'lighthouse.png']) await picture.png().toFile(join(folder, name));
  const commands: Record<string, string> = { 'bin/pomona': 'cli.ts' };
  await mkdir(join(folder, 'node_modules'));
  // npm removes packages that it did not install, even through links, so the client is a small package of its own
  if (withPackages) {
    const client = join(folder, 'node_modules/pomona-client');
    await mkdir(client);
    await writeFile(join(client, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
    await writeFile(join(client, 'index.js'), `export * from '${join(ROOT, 'packages/client/index.ts')}';`);
    commands['node_modules/.bin/pomona-run'] = 'packages/client/cli.ts';
    for (const name of ['@modelcontextprotocol', 'openai'])
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const [name, program] of Object.entries(commands)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, program)}" "$@"\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

/** Matches code of servers, which do not end by themselves. */
const SERVES = /\.listen\(|serve_forever/;
const SECRET = `whsec_${Buffer.from('an orchard in the morning').toString('base64')}`;

/** Runs a webhook receiver and expects it to accept only messages signed with its secret. */
async function expectReceiver(program: string, args: string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  const port = String(await freePort());
  const receiver = spawn(program, args, { cwd, env: { ...env, PORT: port, POMONA_WEBHOOK_SECRET: SECRET } });
  const body =
    '{"type":"request.completed","timestamp":"2026-11-22T00:00:00.000Z","data":{"request_id":"1","result":null}}';
  const now = new Date();
  const signatures = { wrong: 'v1,no', right: new Webhook(SECRET).sign('m', now, body) };
  const post = async (signature: string) => {
    const headers = {
      'webhook-id': 'm',
      'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
      'webhook-signature': signature,
    };
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
  };
  try {
    await expect.poll(() => post(signatures.wrong).catch(() => 'not listening')).toBe(400);
    expect(await post(signatures.right)).toBe(204);
    expect((await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).status, 'unsigned').toBe(400);
  } finally {
    receiver.kill();
  }
}

const guides = docsPages().filter(({ kind }) => kind === 'guide');
for (const { path, title } of guides) {
  test(`${title}: all code on the page runs as served`, async ({ customer, house, request }) => {
    const served = await request.get(`${house.baseURL}${path}.md`);
    expect(served.headers()['content-type']).toContain('text/plain');
    const blocks = blocksOf(await served.text());
    const folder = await openProject({ withPackages: path !== '/docs/client' });
    const paths = [join(folder, 'bin'), process.env.PATH].join(delimiter);
    const settings = { DATA_DIR: process.env.E2E_DATA_DIR, DATABASE_URL: mainDatabase(), npm_config_offline: 'true' };
    const env = { ...process.env, ...settings, POMONA_KEY: customer.key, PATH: paths };
    const picture = join(folder, 'lighthouse.png');
    for (const { language, code } of blocks) {
      if (language === 'json') JSON.parse(code);
      if (NOT_RUN.has(path) && language === 'sh') await execute('bash', ['-nc', code]);
      if (NOT_RUN.has(path) || language === 'json') continue;
      expect(Object.keys(RUNNERS)).toContain(language);
      const { file, command } = RUNNERS[language]!;
      const [program = '', ...args] = command;
      if (!isThere(program)) {
        test.info().annotations.push({ type: 'not run', description: `${language}: ${program} is not here` });
        continue;
      }
      const makesPicture = path === '/docs/first-request' && code.includes('lighthouse.png');
      if (makesPicture) await rm(picture);
      // the page has placeholders for the key and the folder
      await writeFile(join(folder, file), code.replace('pomona_sk_…', customer.key).replaceAll(POMONA, ROOT));
      if (SERVES.test(code)) {
        await expectReceiver(program, [...args, file], { cwd: folder, env });
        continue;
      }
      const { stdout, stderr } = await execute(program, [...args, file], { cwd: folder, env, maxBuffer: MOST_OUTPUT });
      expect(stdout + stderr, code).not.toMatch(/"error": ?\{/);
      if (makesPicture) expect((await readFile(picture)).subarray(1, 4).toString(), language).toBe('PNG');
    }
    await rm(folder, { recursive: true });
  });
}

test('the first-request guide makes the first image in five languages', async ({ request, house }) => {
  const markdown = await (await request.get(`${house.baseURL}/docs/first-request.md`)).text();
  const languages = blocksOf(markdown).flatMap(({ language, code }) => (code.includes('a lighthouse') ? language : []));
  expect(languages).toEqual(['sh', 'ts', 'python', 'go', 'php']);
});

/** Returns the commands of the start page as a reader copies them. */
const commandsIn = (html: string): string[] =>
  [...html.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].map(([, code = '']) =>
    code
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&'),
  );

test('the commands of the start page make an image when run in sequence', async ({ customer, house }) => {
  const commands = commandsIn(await (await fetch(house.baseURL)).text());
  expect(commands).toHaveLength(3);
  const folder = await mkdtemp(join(tmpdir(), 'pomona-docs-'));
  const env = { ...process.env, POMONA_KEY: customer.key };
  await execute('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], { cwd: folder, env });
  expect((await readFile(join(folder, 'lighthouse.png'))).subarray(1, 4).toString()).toBe('PNG');
  await rm(folder, { recursive: true });
});

test('the commands of the README make an image when run in sequence', async ({ customer, house }) => {
  const blocks = blocksOf(await readFile(join(ROOT, 'README.md'), 'utf8'));
  const steps = blocks.flatMap(({ code }) => (code.includes('$KEY') ? code : [])).join('\n');
  const folder = await mkdtemp(join(tmpdir(), 'pomona-docs-'));
  const script = steps.replace('http://localhost:3000', house.baseURL).replace('pomona_sk_…', customer.key);
  const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
  expect(stdout).toMatch(/"result":\{"type":"image","url":"http/);
  await rm(folder, { recursive: true });
});

// the idle house runs no requests, so every model can be called
test('the example call on every reference page is valid, apart from ids and files that do not exist', async ({
  idle,
}) => {
  const customer = await idle.open({ gems: 1_000_000 });
  const env = { ...process.env, POMONA_KEY: customer.key };
  for (const { path, kind } of docsPages().filter(page => page.kind !== 'guide')) {
    const [call] = blocksOf(await (await fetch(`${idle.baseURL}${path}.md`)).text());
    // a model that the house has retired has no page
    if (!call) continue;
    const { stdout } = await execute('bash', ['-c', call.code.replace('curl', 'curl -sS')], { env });
    const answer = (stdout ? JSON.parse(stdout) : {}) as {
      status?: string;
      error?: { code: string; message: string };
    };
    const { code, message } = answer.error ?? { code: '', message: '' };
    if (kind === 'model') expect(answer.status, path).toBe('queued');
    // the files named in the examples do not exist
    else if (code.startsWith('invalid_')) expect(message, path).toMatch(/ cannot be used\. No file of this account/);
    else expect(code, path).toMatch(/^$|_not_found$/);
  }
});

test('the example response on every reference page matches the schema of its operation', async ({ request }) => {
  const document = await (await request.get('/v1/openapi.json')).json();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { id, answers } of readOpenapi(document).operations.filter(isShared)) {
    const { schema } = answers.findLast(({ status }) => status.startsWith('2'))!;
    const shown = blocksOf(await (await request.get(`/docs/${id}.md`)).text()).find(one => one.language === 'json');
    expect(Boolean(shown), id).toBe(schema !== undefined);
    if (!shown || !schema) continue;
    const validate = ajv.compile({ ...schema, components: document.components });
    validate(JSON.parse(shown.code));
    expect(validate.errors, id).toBeNull();
  }
});

for (const id of ['list_characters', 'estimate'])
  test(`the example code of ${id} runs in every language on its page`, async ({ customer, house }) => {
    const { operations, schemas } = readOpenapi(openapiDocument());
    const call = exampleCall(
      operations.find(one => one.id === id)!,
      schemas,
      house.baseURL,
    );
    const folder = await openProject();
    for (const { value, code } of callCode(call)) {
      const { file, command } = RUNNERS[{ curl: 'sh', typescript: 'ts', python: 'python' }[value]!]!;
      const [program = '', ...args] = command;
      await writeFile(join(folder, file), code);
      const run = async (key: string) => {
        const env = { ...process.env, POMONA_KEY: key };
        return (await execute(program, [...args, file], { cwd: folder, env })).stdout;
      };
      expect(await run(customer.key), value).toMatch(id === 'estimate' ? /"gems":\d+/ : /"data":\[\]/);
      expect(await run('pomona_sk_of_nobody'), value).toContain('"code":"unauthorized"');
    }
    await rm(folder, { recursive: true });
  });
