import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { InputFile } from '#lib/engines/parameters';
import { fileName, isInline, jsonBody, replaceFiles, sentAs } from '#lib/engines/remote/request-body';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pomona-body-'));
});

async function inputOf(length: number, as?: InputFile['as']) {
  const bytes = randomBytes(length);
  const path = join(dir, `${length}-${as}`);
  await writeFile(path, bytes);
  return {
    file: new InputFile({ role: 'reference', path, contentType: 'image/png' }, as),
    base64: bytes.toString('base64'),
  };
}

test.each([0, 1, 2, 3, 65_535, 65_536, 200_001])(
  'a file of %d bytes is sent inside JSON with the correct content length',
  async length => {
    const url = await inputOf(length);
    const bare = await inputOf(length, 'base64');
    const prompt = 'file-00000000-0000-0000-0000-000000000000-0. "ä"';
    const { headers, body } = await jsonBody({ input: { prompt, image: url.file, list: [bare.file, 1] } });
    const sent = await buffer(body);
    expect(headers).toEqual({ 'content-type': 'application/json', 'content-length': String(sent.length) });
    expect(JSON.parse(sent.toString())).toEqual({
      input: { prompt, image: `data:image/png;base64,${url.base64}`, list: [bare.base64, 1] },
    });
  },
);

test('a form contains files as parts, lists as several parts, and objects as JSON', async () => {
  const [first, second] = [await inputOf(10), await inputOf(20)];
  const url = await inputOf(30, 'data_url');
  const sent = await sentAs(
    { prompt: 'ä', n: 1, 'image[]': [first.file, second.file], ref: { url: url.file } },
    undefined,
  );
  if (!('form' in sent)) throw new Error('not a form');
  expect(sent.form.get('prompt')).toBe('ä');
  expect(sent.form.get('n')).toBe('1');
  const images = sent.form.getAll('image[]').filter(item => typeof item !== 'string');
  expect(images.map(({ name, type, size }) => [name, type, size])).toEqual([
    [expect.stringMatching(/\.png$/), 'image/png', 10],
    [expect.stringMatching(/\.png$/), 'image/png', 20],
  ]);
  expect(JSON.parse(String(sent.form.get('ref')))).toEqual({ url: `data:image/png;base64,${url.base64}` });
});

test.each<[number, InputFile['as'], boolean]>([
  [256_000, undefined, true],
  [256_001, undefined, false],
  [256_001, 'file', false],
  [9_000_000, 'base64', true],
  [9_000_000, 'data_url', true],
])('a file of %d bytes with the encoding %s is sent inside the request: %s', async (size, as, expected) => {
  expect(isInline((await inputOf(1, as)).file, size)).toBe(expected);
});

test.each([
  ['/tmp/a', 'a.png'],
  ['/tmp/a.png', 'a.png'],
  ['/tmp/a.jpg', 'a.jpg.png'],
])('a PNG at %s is sent under the file name %s', (path, name) => {
  expect(fileName(new InputFile({ role: 'reference', path, contentType: 'image/png' }))).toBe(name);
});

test('a file with the encoding base64 is a text field of a form', async () => {
  const { file, base64 } = await inputOf(40, 'base64');
  const sent = await sentAs({ image: file }, 'form');
  expect('form' in sent && sent.form.get('image')).toBe(base64);
});

test('a request without files is JSON, unless a form is required', async () => {
  expect(await sentAs({ a: 1 }, undefined)).toHaveProperty('headers');
  expect(await sentAs({ a: 1 }, 'form')).toHaveProperty('form');
});

test('files are replaced at any depth of the parameters', async () => {
  const { file } = await inputOf(5);
  expect(await replaceFiles({ a: file, b: [{ c: file }, 'x'], d: null }, async () => 'url')).toEqual({
    a: 'url',
    b: [{ c: 'url' }, 'x'],
    d: null,
  });
});
