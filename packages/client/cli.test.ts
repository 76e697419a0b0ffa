import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MODEL = {
  id: 'mango',
  name: 'Mango',
  type: 'image',
  gems: 5,
  description: 'Draws.',
  input_schema: { properties: { prompt: { type: 'string' } } },
};
const state = (status: string, more: object = {}) => ({ request_id: 'r', status, result: null, error: null, ...more });

type Answer = (response: ServerResponse) => void;
const json =
  (body: object, status = 200): Answer =>
  response =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const revoked = json({ error: { code: 'unauthorized', message: 'The key is revoked.' } }, 401);
/** Announces ten bytes and closes the connection after four. */
const broken: Answer = response => {
  response.writeHead(200, { 'content-length': '10' });
  response.write('half', () => response.destroy());
};

let answers: Record<string, Answer>;
let asked: string[];
let url: string;
let folder: string;
const server = createServer((request, response) => {
  const call = `${request.method} ${new URL(request.url!, url).pathname}`;
  asked.push(call);
  answers[call]!(response);
});

beforeEach(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'pomona-run-'));
  asked = [];
  const result = { url: `${url}/file`, seed: 7 };
  answers = {
    'GET /v1/architectures': json({ architectures: [MODEL] }),
    'POST /v1/mango/generate': json(state('queued'), 202),
    'GET /v1/requests/r/status': json(state('completed', { result, billing: { gems_charged: 5 } })),
    'GET /file': response => void response.end('whole'),
  };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise(done => server.close(done));
  await rm(folder, { recursive: true });
});

const pomonaRun = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; out: string; err: string }>(done => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, 'cli.ts'), ...args],
      { cwd: folder, env: { ...process.env, POMONA_URL: url, POMONA_KEY: 'k', ...env } },
      (_, out, err) => done({ code: child.exitCode, out, err }),
    );
  });
const paid = () => asked.filter(call => call.startsWith('POST'));
const TAKE_UP = 'Resume it with: pomona-run --request r\n';

test('--price prints why a request would be refused instead of its price', async () => {
  const priced = { gems: 5, balance: 9, enough: true, config: {}, mentions: [], issues: [] as object[] };
  answers['POST /v1/mango/estimate'] = json(priced);
  expect(await pomonaRun(['mango', 'a fig', '--price'])).toEqual({ code: 0, out: '5\n', err: '' });
  priced.issues = [{ path: '/prompt', message: 'prompt must be shorter.' }];
  answers['POST /v1/mango/estimate'] = json(priced);
  expect(await pomonaRun(['mango', 'a fig', '--price'])).toEqual({
    code: 1,
    out: '',
    err: 'prompt must be shorter.\n',
  });
  const { code, out } = await pomonaRun(['mango', 'a fig', '--price', '--json']);
  expect([code, JSON.parse(out)]).toEqual([1, priced]);
});

test.each([
  [{ balance: 4 }, 'balance is 4'],
  [{ balance: 4, budget_left: 9 }, 'balance is 4'],
  [{ balance: 9, budget_left: 4 }, 'balance is 9, and the monthly budget of the key has 4 left'],
])('--price prints the price and fails when the gems do not suffice: %j', async (funds, lacks) => {
  const err = `It costs 5 gems; the ${lacks}. Add gems or choose cheaper settings.\n`;
  const priced = { gems: 5, ...funds, enough: false, config: {}, mentions: [], issues: [] };
  answers['POST /v1/mango/estimate'] = json(priced);
  expect(await pomonaRun(['mango', 'a fig', '--price'])).toEqual({ code: 1, out: '5\n', err });
  const { code, out } = await pomonaRun(['mango', 'a fig', '--price', '--json']);
  expect([code, JSON.parse(out)]).toEqual([1, priced]);
});

test('a download replaces the existing file and leaves the .part file of another process alone', async () => {
  await writeFile(join(folder, 'fig.png'), 'the one before');
  await writeFile(join(folder, 'fig.png.part'), 'of somebody else');
  expect(await pomonaRun(['mango', 'a fig', '-o', 'fig.png'])).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'fig.png'), 'utf8')).toBe('whole');
  expect(await readdir(folder)).toEqual(['fig.png', 'fig.png.part']);
  expect(await readFile(join(folder, 'fig.png.part'), 'utf8')).toBe('of somebody else');
  expect(await pomonaRun(['mango', 'a fig', '-o', '-'])).toMatchObject({ code: 0, out: 'whole' });
});

test('an output that is not a regular file, such as a pipe, is written directly', async () => {
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  expect(await pomonaRun(['mango', 'a fig', '-o', pipe])).toMatchObject({ code: 0 });
  expect(await read).toBe('whole');
  expect((await stat(pipe)).isFIFO()).toBe(true);
});

test.each(['nowhere/fig.png', '.'])(
  'an output path that cannot be written (%s) is reported before anything is paid',
  async output => {
    const { code, err } = await pomonaRun(['mango', 'a fig', '-o', output]);
    expect({ code, err }).toEqual({ code: 2, err: `${output} cannot be written.\n` });
    expect(paid()).toEqual([]);
  },
);

test('a download that breaks off leaves the existing file alone and prints how to resume', async () => {
  answers['GET /file'] = broken;
  await writeFile(join(folder, 'fig.png'), 'the one before');
  const { code, err } = await pomonaRun(['mango', 'a fig', '-o', 'fig.png', '-q']);
  expect(code).toBe(1);
  expect(err).toContain(`The request is done. ${TAKE_UP}`);
  expect(await readdir(folder)).toEqual(['fig.png']);
  expect(await readFile(join(folder, 'fig.png'), 'utf8')).toBe('the one before');
});

test('a request that can no longer be waited for is reported with the command to resume it', async () => {
  answers['GET /v1/requests/r/status'] = revoked;
  const { code, err } = await pomonaRun(['mango', 'a fig', '-w', '-q']);
  expect({ code, err }).toEqual({ code: 1, err: `The key is revoked.\nThe request goes on. ${TAKE_UP}` });
});

test('a submit without a response prints the idempotency key under which a retry is paid once', async () => {
  const keys: string[] = [];
  const submit = answers['POST /v1/mango/generate']!;
  const noting =
    (answer: Answer): Answer =>
    response => {
      keys.push(String(response.req.headers['idempotency-key']));
      answer(response);
    };
  answers['POST /v1/mango/generate'] = noting(response => void response.destroy());
  const { code, err } = await pomonaRun(['mango', 'a fig', '-w', '-q']);
  const [key] = keys;
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`again with --idempotency-key ${key}:`) });
  answers['POST /v1/mango/generate'] = noting(submit);
  expect(await pomonaRun(['mango', 'a fig', '--idempotency-key', key!])).toMatchObject({ code: 0 });
  expect(new Set(keys)).toEqual(new Set([key]));
});

test('a failure to resume a request prints no hint about a submit', async () => {
  answers['GET /v1/requests/r/status'] = response => void response.destroy();
  const { code, err } = await pomonaRun(['--request', 'r', '-q']);
  expect({ code, err }).toEqual({
    code: 1,
    err: 'The server cannot be reached. Check the connection and try again.\n',
  });
});

test('a reader that closes the pipe after the first model gets no stack trace', async () => {
  const models = Array.from({ length: 20_000 }, (_, n) => ({ ...MODEL, id: `mango-${n}` }));
  answers['GET /v1/architectures'] = json({ architectures: models });
  const command = `"${process.execPath}" "${join(import.meta.dirname, 'cli.ts')}" --models | head -1`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, POMONA_URL: url, POMONA_KEY: 'k' },
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'mango-0\timage\t5\n', stderr: '' });
});

test('a failed request prints no hint to resume it', async () => {
  const error = { code: 'generation_failed', message: 'The model gave up.' };
  answers['GET /v1/requests/r/status'] = json(state('failed', { error }));
  expect(await pomonaRun(['mango', 'a fig', '-w', '-q'])).toMatchObject({ code: 1, err: 'The model gave up.\n' });
});

test('--request resumes a request without a submit, and together with a model is a usage error', async () => {
  expect(await pomonaRun(['--request', 'r', '-o', '-'])).toMatchObject({ code: 0, out: 'whole' });
  const { code, err } = await pomonaRun(['mango', '--request', 'r']);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--request') });
  expect(paid()).toEqual([]);
});

test.each(['localhost:3000', 'pomona.example', 'http://'])('the address %s is refused immediately', async address => {
  const { code, err } = await pomonaRun(['--models'], { POMONA_URL: address });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('such as https://pomona.example') });
});
