import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { FormData, type WebSocket } from 'undici';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { createEngineHttp, LostAnswer, type EngineHttpOptions } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { makeCertificate } from '#lib/media/test-certificate';

const metadata = vi.hoisted(() => ({ at: undefined as string | undefined }));
vi.mock(import('#lib/media/public-address'), async original => {
  const { isMetadataAddress, ...rest } = await original();
  return { ...rest, isMetadataAddress: text => text === metadata.at || isMetadataAddress(text) };
});

type Handler = (asked: IncomingMessage, answer: ServerResponse) => void;
let handler: Handler;
const server = createServer((asked, answer) => handler(asked, answer));
const other = createServer((asked, answer) => answer.end(asked.headers.authorization ?? 'nobody asked for a name'));
const addressOf = (one: typeof server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
const opened: { close(): Promise<void> }[] = [];
let dir: string;

beforeAll(async () => {
  process.env.LOG_LEVEL = 'silent';
  process.env.DATA_DIR = dir = await mkdtemp(join(tmpdir(), 'engine-http-'));
  for (const one of [server, other]) await once(one.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  for (const http of opened.splice(0)) await http.close();
});
afterAll(async () => {
  for (const one of [server, other]) one.close().closeAllConnections();
  await rm(dir, { recursive: true });
});

function open(answers: Handler, options: EngineHttpOptions = {}, path = '') {
  handler = answers;
  const http = createEngineHttp({ id: 's1', url: `${addressOf(server)}${path}`, secret: 'hush-hush' }, options);
  opened.push(http);
  return http;
}

const Shape = z.object({ n: z.number() });
const ok: Handler = (_, answer) => answer.end('{"n":1}');

test('requests carry the secret, stay below the path of the address, and encode the query', async () => {
  let asked: IncomingMessage | undefined;
  const http = open((request, answer) => ((asked = request), ok(request, answer)), {}, '/behind/proxy');
  await http.json(Shape, 'GET', '/queue', { query: { name: 'a b&c' } });
  expect(asked).toMatchObject({ url: '/behind/proxy/queue?name=a+b%26c' });
  expect(asked!.headers).toMatchObject({ authorization: 'Bearer hush-hush', 'user-agent': 'Pomona' });
  expect(asked!.headers).not.toHaveProperty('origin');
});

test('JSON bodies and forms with files arrive at the server', async () => {
  const seen: string[] = [];
  const http = open(async (request, answer) => {
    seen.push(`${request.headers['content-type']} ${await text(request)}`);
    ok(request, answer);
  });
  await http.json(Shape, 'POST', '/', { json: { a: 'ä' } });
  expect(seen[0]).toBe('application/json {"a":"ä"}');
  await writeFile(join(dir, 'picture'), 'pixels');
  const form = new FormData();
  form.set('image', await openAsBlob(join(dir, 'picture')), 'picture.png');
  await http.json(Shape, 'POST', '/', { form });
  expect(seen[1]).toMatch(/^multipart\/form-data; boundary=[\s\S]* filename="picture.png"[\s\S]*\r\n\r\npixels\r\n/);
});

test.each([
  [302, 'engine_error', false, ' (a redirect; use the address that it leads to as the url)'],
  [400, 'engine_error', false],
  [401, 'engine_unavailable', false, ' (it needs a different secret)'],
  [404, 'engine_error', false],
  [408, 'engine_unavailable', true],
  [429, 'engine_unavailable', true],
  [500, 'engine_error', true],
  [503, 'engine_unavailable', true],
  [504, 'engine_unavailable', true],
])('the status %d is an EngineRefusal with the code %s', async (status, code, retryable, hint = '') => {
  const body = 'no, hush-hush '.repeat(20_000);
  const http = open((_, answer) => answer.writeHead(status, { location: addressOf(other) }).end(body));
  const refusal = await http.call('GET', '/x?token=q', { query: { key: 'q' } }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EngineRefusal);
  expect(refusal).toMatchObject({
    name: 'EngineError',
    code,
    retryable,
    status,
    body: expect.stringMatching(/^no, … /),
    message: expect.stringContaining(`GET ${addressOf(server)}/x answered ${status}${hint}: `),
  });
  expect((refusal as EngineRefusal).body).not.toContain('hush-hush');
  expect((refusal as EngineRefusal).body.length).toBeLessThan(70_000);
  expect((refusal as EngineRefusal).message.length).toBeLessThan(500);
});

test.each([
  [{ 'retry-after': '7' }, { retry_after: 25 }, 7],
  [{ 'retry-after': '77777777' }, {}, undefined],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' }, {}, 30],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, {}, 0],
  [{}, { detail: 'Request was throttled.', status: 429, retry_after: 25 }, 25],
  [{}, { retry_after: 'soon' }, undefined],
])('the retry delay is read from the headers or the body of a refusal: %j %j', async (headers, said, seconds) => {
  const http = open((_, answer) => answer.writeHead(429, headers).end(JSON.stringify(said)));
  await expect(http.call('POST', '/x')).rejects.toMatchObject({ status: 429, retryAfter: seconds });
});

test('a refusal reports the message of the server, but nothing that it repeats of the request', async () => {
  const said = { detail: [{ msg: 'no such sampler', input: 'a secret garden' }], prompt: 'a secret garden' };
  const http = open((_, answer) => answer.writeHead(422).end(JSON.stringify(said)));
  const refusal = (await http.call('POST', '/x').catch((error: unknown) => error)) as EngineRefusal;
  expect(refusal.words).toBe('no such sampler');
  expect(refusal.message).toMatch(/answered 422: no such sampler$/);
});

test.each<[string, Handler, string]>([
  [
    'is cut off',
    (_, answer) => void answer.writeHead(200, { 'content-length': 99 }).write('{"n":', () => answer.destroy()),
    'engine_unavailable',
  ],
  ['never comes', () => {}, 'engine_unavailable'],
  ['stops halfway', (_, answer) => void answer.write('{"n":'), 'engine_unavailable'],
  ['is no JSON', (_, answer) => answer.end('<html>'), 'engine_error'],
  ['has another shape', (_, answer) => answer.end('{"n":"1"}'), 'engine_error'],
  ['is cut JSON', (_, answer) => answer.end('{"n":'), 'engine_error'],
])('an answer that %s is a retryable error', async (_, answers, code) => {
  const http = open(answers, { answerMs: 100 });
  const failure = await http.json(Shape, 'GET', '/').catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'EngineError', code, retryable: true });
  expect(failure instanceof LostAnswer).toBe(code === 'engine_unavailable');
});

test('closing the client ends its pending calls', async () => {
  const asked = Promise.withResolvers<void>();
  const http = open(() => asked.resolve());
  const failure = http.call('GET', '/').catch((error: unknown) => error);
  await asked.promise;
  await http.close();
  expect(await failure).toBeInstanceOf(LostAnswer);
});

const endless: Handler = (_, answer) => {
  const more = () => void (answer.destroyed || answer.write(' '.repeat(100_000), more));
  more();
};

test('endless JSON is rejected, and the endless body of a refusal is cut off', async () => {
  await expect(open(endless).json(Shape, 'GET', '/')).rejects.toMatchObject({
    message: 'an answer is longer than 1000000 bytes',
    retryable: false,
  });
  const http = open((asked, answer) => endless(asked, answer.writeHead(400)));
  await expect(http.json(Shape, 'GET', '/')).rejects.toBeInstanceOf(EngineRefusal);
});

test('JSON above the default size limit is accepted by a call with a higher limit', async () => {
  const http = open((_, answer) => answer.end(`{"n":1}${' '.repeat(1_000_000)}`));
  expect(await http.json(Shape, 'GET', '/', { maxBytes: 2_000_000 })).toEqual({ n: 1 });
});

test.each([200, 500])('an answer (%d) that never ends fails, and its connection is closed', async status => {
  let closed: Promise<unknown> | undefined;
  const http = open(
    (_, answer) => {
      answer.writeHead(status).write('{"n":');
      const words = setInterval(() => answer.write(' '), 20);
      closed = once(answer, 'close').then(() => clearInterval(words));
    },
    { answerMs: 200 },
  );
  const error = await http.json(Shape, 'GET', '/queue').catch((error: unknown) => error);
  expect(error).toBeInstanceOf(LostAnswer);
  expect(error).toMatchObject({ code: 'engine_unavailable', message: 'an answer does not come to its end' });
  await closed;
});

test('a patient call waits longer than the silence limit, before the answer and within it', async () => {
  const http = open(
    ({ url }, answer) => {
      if (url === '/halfway') answer.write('{');
      setTimeout(() => answer.end(url === '/halfway' ? '"n":1}' : '{"n":1}'), 1_500);
    },
    { answerMs: 100 },
  );
  await Promise.all([
    expect(http.json(Shape, 'GET', '/')).rejects.toThrow('keeps silent'),
    expect(http.json(Shape, 'GET', '/', { patient: true })).resolves.toEqual({ n: 1 }),
    expect(http.json(Shape, 'GET', '/halfway', { patient: true })).resolves.toEqual({ n: 1 }),
  ]);
});

test('an unreachable server is unavailable, and an aborted call rejects with its abort reason', async () => {
  const gone = createEngineHttp({ id: 'gone', url: 'http://127.0.0.1:1' });
  const error = await gone.call('GET', '/').catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'engine_unavailable', retryable: true });
  // no request was sent that the server could have processed
  expect(error).not.toBeInstanceOf(LostAnswer);
  const stop = new AbortController();
  const http = open(() => stop.abort('cancelled'));
  await expect(http.call('GET', '/', { signal: stop.signal })).rejects.toBe('cancelled');
});

test.each(['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '100.100.100.200', '[fd00:ec2::254]'])(
  'the cloud metadata address %s is never requested',
  async host => {
    const http = createEngineHttp({ id: 'a', url: `http://${host}` });
    await expect(http.call('GET', '/latest/meta-data')).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('no engine is at such an address'),
    });
    await http.close();
  },
);

test('a host name that resolves to a cloud metadata address is never requested', async () => {
  metadata.at = '127.0.0.1';
  onTestFinished(() => void (metadata.at = undefined));
  const asked = vi.fn(ok);
  open(asked);
  const http = createEngineHttp({ id: 'a', url: addressOf(server).replace('127.0.0.1', 'localhost') });
  opened.push(http);
  await expect(http.call('GET', '/')).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('no engine is at such an address'),
  });
  await closed(http.socket('/'));
  expect(asked).not.toHaveBeenCalled();
  metadata.at = undefined;
  expect(await http.json(Shape, 'GET', '/')).toEqual({ n: 1 });
});

const closed = (socket: WebSocket) =>
  new Promise(resolve => {
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', resolve);
  });

test.each([false, true])(
  'a socket message above the size limit closes the socket (compressed: %s)',
  async perMessageDeflate => {
    const sockets = new WebSocketServer({ server, perMessageDeflate });
    onTestFinished(() => void sockets.close());
    let asked: IncomingMessage | undefined;
    sockets.on('connection', (one, request) => {
      asked = request;
      one.on('error', () => {}).send(Buffer.alloc(20_000_000));
    });
    const socket = open(ok).socket('/ws', { clientId: 'a' });
    const taken = vi.fn();
    socket.addEventListener('message', taken);
    socket.addEventListener('message', () => socket.close());
    await closed(socket);
    expect(taken).not.toHaveBeenCalled();
    expect(asked).toMatchObject({ url: '/ws?clientId=a', headers: { authorization: 'Bearer hush-hush' } });
  },
);

test('files are fetched from the server with the secret, and from a configured origin without it', async () => {
  const http = open((asked, answer) => answer.end(`${asked.url} ${asked.headers.authorization}`), {
    origins: [addressOf(other)],
  });
  const read = async (address: string) => (await buffer(await http.download(address))).toString();
  expect(await read('/view?filename=a')).toBe('/view?filename=a Bearer hush-hush');
  expect(await read(`${addressOf(server)}/a`)).toBe('/a Bearer hush-hush');
  expect(await read(`${addressOf(other)}/a`)).toBe('nobody asked for a name');
});

test('files of any other origin must be public, and a rejected download leaves no temporary file', async () => {
  const http = open(ok);
  for (const address of [`${addressOf(other)}/a`, 'https://169.254.169.254/latest', 'file:///etc/passwd']) {
    await expect(http.download(address)).rejects.toMatchObject({ name: 'EngineError', code: 'engine_error' });
  }
  expect(await readdir(join(dir, 'tmp'))).toEqual([]);
});

test('a result at a disallowed origin is not retried, and the error names the setting to change', async () => {
  await expect(open(ok).download(`${addressOf(other)}/a`)).rejects.toMatchObject({
    retryable: false,
    message: expect.stringContaining(`Name ${addressOf(other)} in the "origins" of the engine`),
  });
});

/** Starts an external service, with the network in which its host name resolves. */
async function thirdParty(answers: Handler) {
  const certificate = makeCertificate(['files.test']);
  const files = createSecureServer(certificate, answers);
  await once(files.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => files.close().closeAllConnections());
  const network = { resolve: async () => ['127.0.0.1'], isAllowed: () => true, ca: certificate.cert };
  return { network, address: `https://files.test:${(files.address() as AddressInfo).port}/film` };
}

test.each<[string, Handler]>([
  ['is overloaded', (_, answer) => answer.writeHead(503).end()],
  ['breaks off', (_, answer) => void answer.destroy()],
  ['keeps silent', () => {}],
])('a file at a third party that %s for a while is requested again', async (_, away) => {
  const answers = [away, away, (_asked, answer) => void answer.end('the film')] as Handler[];
  const { network, address } = await thirdParty((asked, answer) => answers.shift()!(asked, answer));
  expect(await text(await open(ok, { network, answerMs: 300 }).download(address))).toBe('the film');
  // the temporary file is deleted with the stream
  await expect.poll(() => readdir(join(dir, 'tmp'))).toEqual([]);
});

test('an aborted download ends with its abort reason, at the server and at a third party', async () => {
  const stop = new AbortController();
  const http = open(() => stop.abort('enough'));
  await expect(http.download('/a', { signal: stop.signal })).rejects.toBe('enough');
  const elsewhere = new AbortController();
  const { network, address } = await thirdParty(() => elsewhere.abort('enough'));
  await expect(open(ok, { network }).download(address, { signal: elsewhere.signal })).rejects.toBe('enough');
});

test('an unread answer that breaks off closes its connection without any other error', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const http = open((_, answer) => {
    answer.writeHead(200, { 'content-length': 9 }).write('abc');
    asked.resolve(answer);
  });
  const { body } = await http.call('POST', '/cancel');
  const closed = new Promise(done => body.once('close', done).resume());
  (await asked.promise).destroy();
  await closed;
});

test('a complete answer can be destroyed unread without an error', async () => {
  const { body } = await open(ok).call('POST', '/cancel');
  await once(body.destroy(), 'close');
  // an unhandled error of the body would surface now
  await new Promise(setImmediate);
});

test('destroying a download before it is read ends the transfer', async () => {
  const ended = Promise.withResolvers<void>();
  const http = open((_, answer) => {
    answer.once('close', ended.resolve);
    const more = () => void (answer.destroyed || answer.write(Buffer.alloc(100_000), more));
    more();
  });
  (await http.download('/a')).destroy();
  await ended.promise;
});

test('a download that never ends fails, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const http = open(
    (_, answer) => {
      const words = setInterval(() => answer.write(' '), 5);
      answer.once('close', () => (clearInterval(words), closed.resolve()));
    },
    { answerMs: 20 },
  );
  await expect(buffer(await http.download('/a'))).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: 'an answer does not come to its end',
  });
  await closed.promise;
});

test('a download may take longer than any other answer', async () => {
  const http = open(
    (_, answer) => {
      const words = setInterval(() => answer.write(' '), 20);
      setTimeout(() => (clearInterval(words), answer.end('.')), 1_000);
    },
    { answerMs: 100 },
  );
  expect(await text(await http.download('/a'))).toMatch(/^ +\.$/);
});

test('a download that breaks off fails with a retryable error', async () => {
  const http = open(
    (_, answer) => void answer.writeHead(200, { 'content-length': 9 }).write('abc', () => answer.destroy()),
  );
  await expect(buffer(await http.download('/a'))).rejects.toMatchObject({
    code: 'engine_unavailable',
    retryable: true,
  });
});
