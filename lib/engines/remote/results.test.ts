import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createEngineHttp, type EngineHttp } from '#lib/engines/engine-http';
import { testJob } from '#lib/engines/remote/job-test-data';
import { createResults, type Results } from '#lib/engines/remote/results';
import { tagPicture } from '#lib/media/encode-image';
import { makeImage } from '#lib/media/media-test-files';

const context = { signal: new AbortController().signal };
const image = { output: testJob('image', '').output };
const video = { output: testJob('video', '').output };
let body: Uint8Array;
const server = createServer((_, answer) => answer.end(body));
let url: string;
let http: EngineHttp;
let results: Results;
let png: Buffer;

beforeAll(async () => {
  process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-results-'));
  png = await makeImage(30, 20).png().toBuffer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = createEngineHttp({ id: 'box', url });
  results = createResults(http);
});
afterAll(async () => {
  await results.close();
  await http.close();
  server.close().closeAllConnections();
});

const find = (answer: unknown, notes: { output: typeof image.output; at?: string } = image) =>
  results.outputOf({ id: Math.random().toString() }, answer, notes);

test.each<[string, unknown]>([
  ['a text', 'http://h/a.png'],
  ['the first of a list', ['http://h/a.png', 'http://h/b.png']],
  ['a member of an object', { note: 'hello', picture: 'http://h/a.png' }],
  ['a described file', { images: [{ url: 'http://h/a.png', content_type: 'image/png' }] }],
])('a result file is found as %s', async (_, answer) => {
  expect(await find(answer)).toEqual({ contentType: 'image/png', location: 'http://h/a.png', width: 200, height: 160 });
});

test('the entry may name the place of the result in the answer', async () => {
  const answer = { mask: 'http://h/mask.png', images: [{ url: 'http://h/a.webp', width: 7, height: 5 }] };
  expect(await find(answer, { ...image, at: 'images.0' })).toEqual({
    contentType: 'image/webp',
    location: 'http://h/a.webp',
    width: 7,
    height: 5,
  });
  await expect(find(answer, { ...image, at: 'images.1.url' })).rejects.toThrow('made no file');
  await expect(find(answer, { ...image, at: 'constructor.name' })).rejects.toThrow('made no file');
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['words', 'a lighthouse'],
  ['numbers', [1, 2]],
])('an answer of %s contains no result file', async (_, answer) => {
  await expect(find(answer)).rejects.toMatchObject({ code: 'engine_error', retryable: false });
});

test('the content type is the declared one, that of the file name, or the default of the output type', async () => {
  expect(await find({ url: 'http://h/x', content_type: 'Image/JPEG; q=1' })).toMatchObject({
    contentType: 'image/jpeg',
  });
  expect(await find('http://h/x.JPG?sig=.png')).toMatchObject({ contentType: 'image/jpeg' });
  expect(await find('http://h/x', video)).toMatchObject({ contentType: 'video/mp4', duration: 1 });
  await expect(find('http://h/x.png', video)).rejects.toMatchObject({
    message: 'the job made image/png where video was asked for',
    retryable: false,
  });
});

test('a data URL is kept until it is collected, and gives the same output when it is read again', async () => {
  const answer = `data:image/jpeg;base64,${png.toString('base64')}`;
  const output = await results.outputOf({ id: 'j1' }, answer, image);
  // the bytes decide the type, not the data URL
  expect(output.contentType).toBe('image/png');
  expect(await results.outputOf({ id: 'j1' }, answer, image)).toEqual(output);
  expect((await buffer(await results.collect(output, context))).equals(png)).toBe(true);
  expect(results.isThere(output)).toBe(false);
  await expect(find('data:image/png;base64,***')).rejects.toMatchObject({
    message: expect.stringContaining('broken data URL'),
    retryable: true,
  });
  await expect(find(`data:text/plain;base64,${Buffer.from('hello').toString('base64')}`)).rejects.toThrow('no media');
});

test('a remote result stays available, and a local one is deleted when it is dropped or its engine closes', async () => {
  const left = await find('http://h/a.png');
  expect(results.isThere(left)).toBe(true);
  const kept = () => find(`data:image/png;base64,${png.toString('base64')}`);
  const before = await filesLeft();
  const output = await kept();
  expect(results.isThere(output)).toBe(true);
  await results.drop(output);
  expect(results.isThere(output)).toBe(false);
  expect(await filesLeft()).toEqual(before);
  const other = createResults(http);
  const dropped = await other.outputOf({ id: 'j' }, `data:image/png;base64,${png.toString('base64')}`, image);
  await other.close();
  expect(other.isThere(dropped)).toBe(false);
  expect(await filesLeft()).toEqual(before);
});

test('a result of another type fails its job', async () => {
  const ended = await results.endOf({ id: 'odd' }, 'http://h/a.png', video);
  expect(ended).toMatchObject({ state: 'failed', error: { code: 'engine_error' } });
  expect(await results.endOf({ id: 'good' }, 'http://h/a.png', image)).toMatchObject({ state: 'succeeded' });
});

test('markup in the metadata of an image does not change its detected type', async () => {
  const told = { architecture: 'a', modelId: 'm', prompt: 'a page, <html>', seed: 1, settings: {} };
  const picture = tagPicture(png, told);
  expect(await find(`data:image/png;base64,${picture.toString('base64')}`)).toMatchObject({ contentType: 'image/png' });
  const output = await find(`${url}/a.png`);
  body = picture;
  expect((await buffer(await results.collect(output, context))).equals(picture)).toBe(true);
});

test('bytes of another type than announced are rejected', async () => {
  const output = await find(`${url}/a.png`);
  body = png;
  expect((await buffer(await results.collect(output, context))).equals(png)).toBe(true);
  for (const other of ['<html>Sign in</html>', '', `RIFF0000WAVE${'x'.repeat(9_000)}`]) {
    body = Buffer.from(other);
    await expect(buffer(await results.collect(output, context))).rejects.toMatchObject({ code: 'engine_error' });
  }
});

const Run = z.object({ id: z.string(), output: z.unknown().optional() });

/** Reads a response that contains large files, and keeps its output as an engine does. */
async function read({ id, ...rest }: { id: string; output?: unknown; input?: unknown }, notes = image) {
  async function* sent() {
    yield Buffer.from(JSON.stringify({ id, ...rest }));
  }
  return results.read(Run, sent(), ({ output }) => results.outputOf({ id }, output, notes));
}

const filesLeft = async () =>
  (await readdir(process.env.DATA_DIR!, { recursive: true })).filter(name => name.endsWith('output'));

test('destroying an unread result ends its download', async () => {
  const file = new Readable({ read() {} });
  const own = createResults({ ...http, download: async () => file });
  const stream = await own.collect(
    { contentType: 'image/png', location: 'http://h/a.png', width: 1, height: 1 },
    context,
  );
  await once(stream.destroy(), 'close');
  expect(file.destroyed).toBe(true);
  await own.close();
});

test('only the output file of an answer is kept, until it is collected', async () => {
  const large = Buffer.concat([png, Buffer.alloc(100_000)]);
  const file = `data:image/png;base64,${large.toString('base64')}`;
  const before = await filesLeft();
  const answer = { id: 'many', output: [file, file], input: { picture: file } };
  const output = await read(answer);
  expect(await read(answer)).toEqual(output);
  expect(await filesLeft()).toHaveLength(before.length + 1);
  expect((await buffer(await results.collect(output, context))).equals(large)).toBe(true);
  await expect.poll(filesLeft).toEqual(before);
  await expect(read(answer, video)).rejects.toThrow('made image/png where video was asked for');
  await expect(read({ id: 'none', input: file })).rejects.toThrow('made no file');
  await expect(read({ id: file })).rejects.toMatchObject({
    message: expect.stringContaining('not what it should be'),
    retryable: true,
  });
  await expect(find(`data:image/png;base64,${png.toString('base64')}`, video)).rejects.toThrow('made image/png');
  expect(await filesLeft()).toEqual(before);
});
