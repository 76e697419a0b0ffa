import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createClient } from '#client/client';
import { each } from '#client/each';
import { GenerationError, InsufficientGemsError, InvalidError, PriceAboveLimitError } from '#client/errors';
import type { Customer } from '../customer.ts';
import { QUICK } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { run } from '../process.ts';

const clientOf = ({ key }: Customer, baseUrl: string) => createClient({ baseUrl, key });

const picture = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } })
    .png()
    .toBuffer();

test('run submits a request, reports its states, and returns the result', async ({ customer, house }) => {
  const client = clientOf(customer, house.baseURL);
  const states: string[] = [];
  const done = await client.run(QUICK.architecture, QUICK.body, { onUpdate: ({ status }) => void states.push(status) });
  expect(done).toMatchObject({ status: 'completed', result: { type: 'audio' } });
  expect(states.at(-1)).toBe('completed');
  const file = await client.download(done.result);
  expect(file.headers.get('content-type')).toBe('audio/mpeg');
  expect((await file.arrayBuffer()).byteLength).toBe(done.result.bytes);
});

test('a submission whose response is lost is retried and charged once', async ({ customer, house }) => {
  await using lossy = await startLossyProxy(house.baseURL);
  const request = await clientOf(customer, lossy.url).submit(QUICK.architecture, QUICK.body);
  expect(lossy.dropped()).toBe(1);
  expect((await customer.list()).data).toHaveLength(1);
  expect(await customer.balance()).toBe(10_000 - QUICK.gems);
  await clientOf(customer, house.baseURL).wait(request);
});

test('a status response that breaks off is requested again', async ({ customer, house }) => {
  await using lossy = await startLossyProxy(house.baseURL, /\/status/);
  const done = await clientOf(customer, lossy.url).run(QUICK.architecture, QUICK.body);
  expect(done.status).toBe('completed');
  expect(lossy.dropped()).toBe(1);
});

test('refusals are thrown as instances of their error classes', async ({ customer, house }) => {
  const client = clientOf(customer, house.baseURL);
  const refused = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const invalid = await refused(client.submit(QUICK.architecture, { ...QUICK.body, seed: -1 }));
  expect(invalid).toBeInstanceOf(InvalidError);
  expect(invalid).toMatchObject({ code: 'invalid_config', issues: [{ path: '/seed' }] });
  expect(await refused(client.submit(QUICK.architecture, QUICK.body, { maxGems: 1 }))).toBeInstanceOf(
    PriceAboveLimitError,
  );
  const poor = clientOf(await house.open({ gems: 1 }), house.baseURL);
  const short = await refused(poor.submit(QUICK.architecture, QUICK.body));
  expect(short).toBeInstanceOf(InsufficientGemsError);
  expect(short).toMatchObject({ gemsRequired: QUICK.gems });
});

test('waiting for a request that is cancelled throws GenerationError; an abort only ends the waiting', async ({
  idle,
}) => {
  const client = clientOf(await idle.open(), idle.baseURL);
  const stop = new AbortController();
  const states: string[] = [];
  const request = await client.submit(QUICK.architecture, QUICK.body);
  const waiting = client.wait(request, { signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toThrow('aborted');
  const running = client.run(QUICK.architecture, QUICK.body, {
    onUpdate: ({ request_id, status }) => {
      if (states.push(status) === 1) void client.cancelRequest({ params: { request_id } });
    },
  });
  const error = await running.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GenerationError);
  expect(error).toMatchObject({ request: { status: 'cancelled' } });
  expect(await client.getRequestStatus({ params: { request_id: request.request_id } })).toMatchObject({
    status: 'queued',
  });
});

test('files, buffers and streams are uploaded with progress; a file in a config is uploaded by submit', async ({
  customer,
  house,
}) => {
  const client = clientOf(customer, house.baseURL);
  const bytes = new Uint8Array(await picture());
  const parts: number[] = [];
  const sources = {
    blob: new Blob([bytes]),
    file: new File([bytes], 'a.png'),
    buffer: bytes,
    stream: new Blob([bytes]).stream(),
  };
  for (const [name, source] of Object.entries(sources)) {
    const { url } = await client.upload(source, { name: `${name}.png`, onProgress: part => void parts.push(part) });
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(Buffer.from(bytes)), name).toBe(true);
  }
  expect(parts.filter(part => part === 1)).toHaveLength(4);
  const request = await client.submit('mango', { prompt: 'the same in winter', image: new File([bytes], 'in.png') });
  const { inputs } = await customer.detail(request.request_id);
  expect(inputs).toMatchObject([{ role: 'reference', content_type: 'image/png' }]);
  await client.cancelRequest({ params: { request_id: request.request_id } });
  const names: (string | null)[] = [];
  for await (const upload of each(client.listUploads, { query: { limit: 2 } })) names.push(upload.file_name);
  expect(names).toEqual(['in.png', 'stream.png', 'buffer.png', 'file.png', 'blob.png']);
  await expect(client.upload(new Blob([bytes]))).rejects.toThrow('Give the file a `type`');
});

test.describe('pomona-run', () => {
  const pomonaRun = async (customer: Customer, baseURL: string, ...args: string[]) => {
    const env = { POMONA_URL: baseURL, POMONA_KEY: customer.key };
    const command = run(['packages/client/cli.ts', ...args], env);
    const code = await command.ended;
    await command.silent;
    return { code, output: command.output() };
  };

  test('generates a file, and follows a request that was submitted before', async ({ customer, house }) => {
    const folder = await mkdtemp(join(tmpdir(), 'pomona-run-'));
    const output = join(folder, 'rain.mp3');
    const made = await pomonaRun(customer, house.baseURL, QUICK.architecture, QUICK.body.prompt, '-o', output);
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining(`${output}: ${QUICK.gems} gems`) });
    expect(made.output).toContain('completed');
    expect((await readFile(output)).length).toBeGreaterThan(1000);

    const submitted = await pomonaRun(customer, house.baseURL, QUICK.architecture, 'wind', '--seed', '7', '--quiet');
    const id = submitted.output.trim();
    const followed = await pomonaRun(customer, house.baseURL, '--request', id, '--json', '--quiet');
    expect(JSON.parse(followed.output)).toMatchObject({ request_id: id, status: 'completed', result: { seed: 7 } });
    await rm(folder, { recursive: true });
  });

  test('uploads the given files, and reports the price without submitting', async ({ customer, house }) => {
    const folder = await mkdtemp(join(tmpdir(), 'pomona-run-'));
    const file = join(folder, 'in.png');
    await writeFile(file, await picture());
    const args = ['mango', 'in winter', '--image', file, '--resolution', '1K'];
    const priced = await pomonaRun(customer, house.baseURL, ...args, '--price', '--json');
    expect(JSON.parse(priced.output)).toMatchObject({ config: { resolution: '1K' }, issues: [], enough: true });
    expect((await customer.list()).data).toHaveLength(0);
    const { data: uploads } = await clientOf(customer, house.baseURL).listUploads();
    expect(uploads).toMatchObject([{ file_name: 'in.png' }]);
    const missing = await pomonaRun(customer, house.baseURL, 'mango', 'in winter', '--image', `${file}x`);
    expect(missing).toMatchObject({ code: 2, output: expect.stringContaining('cannot be read') });
    await rm(folder, { recursive: true });
  });

  test('lists models, fields and types', async ({ customer, house }) => {
    const models = await pomonaRun(customer, house.baseURL, '--models');
    expect(models.output).toContain('mango\timage\t135');
    const help = await pomonaRun(customer, house.baseURL, 'mango', '--help');
    expect(help.output).toContain('1K | 2K | 3K | 4K (2K)');
    const types = await pomonaRun(customer, house.baseURL, '--types');
    expect(types.output).toContain(`declare module 'pomona-client'`);
  });

  test('reports errors and exits with 1 or 2', async ({ customer, house }) => {
    const cases: [string[], number, string][] = [
      [['mango', 'a fig', '--aspect_ratio', '16:10'], 1, 'aspect_ratio must be one of'],
      [['mango', 'a fig', '--aspect_ratio', '16:10', '--price'], 1, 'aspect_ratio must be one of'],
      [['mango', 'a fig', '--max-gems', '1'], 1, 'Max-Gems'],
      [['mango', 'a', 'fig'], 2, 'Put the prompt in quotes'],
      [['mango', 'a fig', '--colour', 'red'], 2, 'colour'],
      [['mongo', 'a fig'], 2, 'There is no model mongo'],
      [['--request', randomUUID()], 1, 'No request'],
      [['--json'], 2, 'Name a model'],
    ];
    for (const [args, code, output] of cases)
      expect(await pomonaRun(customer, house.baseURL, ...args), args.join(' ')).toMatchObject({
        code,
        output: expect.stringContaining(output),
      });
  });
});

/** Starts a proxy that forwards requests, but cuts off the first answer whose path matches. */
async function startLossyProxy(target: string, path = /^/) {
  let dropped = 0;
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const passed = forward(
      new URL(String(incoming.url), target),
      { method: String(incoming.method), headers: incoming.headers },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        if (dropped > 0 || !path.test(String(incoming.url))) return void answer.pipe(outgoing);
        dropped++;
        answer.resume().once('end', () => outgoing.write('{', () => outgoing.destroy()));
      },
    );
    incoming.pipe(passed);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropped: () => dropped,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}
