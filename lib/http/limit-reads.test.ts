import { once } from 'node:events';
import { createServer, IncomingMessage, request, ServerResponse, type RequestListener } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { afterEach, expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { listCharacters } from '#lib/cast/characters';
import { characterToWire } from '#lib/cast/to-wire';
import { operations } from '#lib/contract/operations';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { asReader, asReaderOfPage, keepAnswer } from '#lib/http/limit-reads';
import { route, type Handler } from '#lib/http/route';
import { newId } from '#lib/ids';
import { timesReached } from '#lib/limits';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';
Object.assign(env(), { LIMIT_READS_PER_ACCOUNT: 2, DATABASE_POOL: 5 });

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => servers.splice(0).forEach(server => server.close().closeAllConnections()));

/** Starts a server with this listener; returns a function that sends a request and reads responses on demand. */
async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (headers = {}) => {
    const sent = request({ port, host: '127.0.0.1', agent: false, headers }).end();
    sent.on('error', () => {});
    return { sent, answered: once(sent, 'response').then(([answer]) => answer as IncomingMessage) };
  };
}

async function keyOf(name: string): Promise<string> {
  const { id } = await createAccount({ email: `${name}@example.com`, gems: 1 });
  return (await createApiKey(id, { name })).key;
}

test('many concurrent list requests of one account leave database connections free for other accounts', async () => {
  const list = route(operations.listCharacters, async ({ caller, query }) => {
    const { data, nextCursor } = await listCharacters(caller.accountId, query);
    return { body: { data: data.map(characterToWire), next_cursor: nextCursor } };
  });
  const [busy, other] = await Promise.all([keyOf('busy'), keyOf('other')]);
  const listener = getRequestListener((asked, { outgoing }) => {
    keepAnswer(asked, outgoing as ServerResponse);
    return list(asked, { params: Promise.resolve({}) });
  });
  const ask = await serve((incoming, outgoing) => void listener(incoming, outgoing));
  const askAs = (key: string) => ask({ authorization: `Bearer ${key}` }).answered;
  const holder = await pool().connect();
  await holder.query('begin; lock table characters');
  const many = Array.from({ length: 12 }, () => askAs(busy));
  while (timesReached('LIMIT_READS_PER_ACCOUNT') < 10) await pause(5);
  // of five connections, one holds the lock and two wait for it
  const theirs = askAs(other);
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await pool().query<{ count: number }>(waiting)).rows[0]!.count < 3) await pause(5);
  await holder.query('commit');
  holder.release();
  for (const { statusCode } of await Promise.all([theirs, ...many])) expect(statusCode).toBe(200);
});

test('an unread page response counts against the limit of its reader until the client disconnects', async () => {
  const begun: string[] = [];
  const ask = await serve((incoming, outgoing) => {
    const whose = String(incoming.headers.whose);
    void asReaderOfPage(whose, outgoing, () => {
      begun.push(whose);
      outgoing.end(Buffer.alloc(whose === 'slow' ? 50_000_000 : 1));
    });
  });
  const slow = [ask({ whose: 'slow' }), ask({ whose: 'slow' })];
  // the responses have begun and are not read any further
  await Promise.all(slow.map(({ answered }) => answered));
  const third = ask({ whose: 'slow' });
  await ask({ whose: 'other' }).answered;
  expect(begun).toEqual(['slow', 'slow', 'other']);
  slow[0]!.sent.destroy();
  await third.answered;
  expect(begun).toEqual(['slow', 'slow', 'other', 'slow']);
});

test('a reader that disconnects gives up its place in the queue, but keeps its slot while its response is made', async () => {
  const made = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const left = AbortSignal.abort(new Error('left'));
  const begun: number[] = [];
  const read = (turn: number, signal = new AbortController().signal) =>
    asReader('somebody', signal, async () => {
      begun.push(turn);
      await made[turn]?.promise;
    });
  const inside = new AbortController();
  const all = [read(0, inside.signal), read(1)];
  const leaving = new AbortController();
  const waited = read(2, leaving.signal);
  all.push(read(3));
  leaving.abort(new Error('left'));
  await expect(waited).rejects.toThrow('left');
  inside.abort(new Error('left'));
  await expect(read(4, left)).rejects.toThrow('left');
  expect(begun).toEqual([0, 1]);
  // the first free slot goes to the next reader that is still waiting
  made[0]!.resolve();
  await Promise.all([all[0], all[2]]);
  made[1]!.resolve();
  await Promise.all(all);
  expect(begun).toEqual([0, 1, 3]);
});

const line = () => new ServerResponse(new IncomingMessage(new Socket()));

test('a page that never finishes frees its slot after its client disconnects, and a rendering error is thrown', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const outgoing = line();
  const page = asReaderOfPage('leaver', outgoing, () => new Promise(() => {}));
  outgoing.emit('close');
  await vi.advanceTimersByTimeAsync(5_000);
  await page;
  vi.useRealTimers();
  const gone = line();
  vi.spyOn(gone, 'closed', 'get').mockReturnValue(true);
  for (let more = 0; more < 3; more++) await asReaderOfPage('leaver', gone, () => {});
  const fail = () => Promise.reject(new Error('broken'));
  await expect(asReaderOfPage('reader', line(), fail)).rejects.toThrow('broken');
});

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_models', arguments: {} } };

test.each([
  ['v1/[architecture]/estimate', { architecture: 'mango' }, { prompt: 'a pear' }],
  ['v1/recipes/[recipe]/estimate', { recipe: 'thumbnail' }, { topic: 'pears' }],
  ['mcp', {}, call],
  ['mcp', {}, [call]],
])(
  'a response of %s counts against the read limit of its account until it has been sent',
  async (path, params, body) => {
    const { POST } = (await import(pathToFileURL(join('app', path, 'route.ts')).href)) as { POST: Handler };
    const headers = {
      host: 'localhost',
      authorization: `Bearer ${await keyOf(newId())}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-03-26',
    };
    const ask = async () => {
      const asked = new Request('http://localhost', { method: 'POST', headers, body: JSON.stringify(body) });
      const outgoing = line();
      keepAnswer(asked, outgoing);
      const answer = await POST(asked, { params: Promise.resolve(params) });
      return { outgoing, status: answer.status, text: await answer.text() };
    };
    const before = timesReached('LIMIT_READS_PER_ACCOUNT');
    const held = [await ask(), await ask()];
    let isAnswered = false;
    const third = ask().finally(() => (isAnswered = true));
    while (!isAnswered && timesReached('LIMIT_READS_PER_ACCOUNT') === before) await pause(5);
    expect(isAnswered).toBe(false);
    held[0]!.outgoing.emit('close');
    for (const { status, text } of [...held, await third]) expect(status, text).toBe(200);
  },
);
