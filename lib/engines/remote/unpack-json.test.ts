import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createSpool, SpooledFile, type Spool } from '#lib/engines/remote/spool';
import { unpackJson } from '#lib/engines/remote/unpack-json';

let dir: string;
let spool: Spool;
beforeAll(async () => {
  process.env.DATA_DIR = dir = await mkdtemp(join(tmpdir(), 'pomona-unpack-'));
});
afterEach(() => spool.close());

/** Unpacks a text that arrives in chunks of `size` bytes. */
async function unpack(text: string, size = 10_000): Promise<unknown> {
  spool = createSpool();
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return unpackJson(pieces(), spool);
}

const filesLeft = async () => (await readdir(dir, { recursive: true })).filter(name => name.endsWith('output'));

test.each([1, 7, 4_096, 1_000_000])('JSON in pieces of %d bytes is parsed as by JSON.parse', async size => {
  const value = {
    a: ['ä€😀\u2028', '', 'quote " \\ / \b', 1.5e-7, -0, true, null],
    '': { deep: [[[]]] },
    __proto__x: 1,
  };
  const text = JSON.stringify(value);
  expect(await unpack(text, size)).toEqual(JSON.parse(text));
});

test.each([
  ['bare', ''],
  ['as a data URL', 'data:image/png;base64,'],
  ['as a data URL with a parameter', 'data:video/mp4;codecs=avc1;base64,'],
])('a file %s is unpacked without changes, wherever the pieces are cut', async (_, prefix) => {
  for (const [length, size] of [
    [200_000, 999],
    [200_001, 65_536],
    [200_002, 4_093],
  ] as const) {
    const file = randomBytes(length);
    const answer = (await unpack(
      JSON.stringify({ data: [{ b64: prefix + file.toString('base64') }], n: 1 }),
      size,
    )) as {
      data: { b64: SpooledFile }[];
      n: number;
    };
    expect(answer.n).toBe(1);
    expect(answer.data[0]!.b64).toBeInstanceOf(SpooledFile);
    const bytes = await buffer(await spool.collect(answer.data[0]!.b64.location));
    expect(bytes.equals(file)).toBe(true);
  }
});

test.each([1, 7, 65_536])('escaped characters in a file are decoded, in pieces of %d bytes', async size => {
  const file = randomBytes(75_000);
  const escaped = file.toString('base64').replaceAll('/', '\\/').replaceAll('+', '\\u002B');
  const { f, n } = (await unpack(`{"f":"${escaped}","n":[12345,true]}`, size)) as { f: SpooledFile; n: unknown };
  expect((await buffer(await spool.collect(f.location))).equals(file)).toBe(true);
  expect(n).toEqual([12345, true]);
});

test('a short file stays text, and a long text is shortened and not taken for a file', async () => {
  const short = randomBytes(1_000).toString('base64');
  const { a, b } = (await unpack(JSON.stringify({ a: short, b: `${'log line\n'.repeat(50_000)} 45%|` }))) as Record<
    string,
    string
  >;
  expect(a).toBe(short);
  expect(b).toMatch(/^log line\n/);
  // the end of a log contains the progress
  expect(b).toMatch(/log line\n 45%\|$/);
  expect(b!.length).toBeLessThan(80_000);
  const { c } = (await unpack(JSON.stringify({ c: `${'log line\n'.repeat(8_000)} 45%|` }), 1_000_000)) as { c: string };
  expect(c).toMatch(/log line\n 45%\|$/);
});

test.each([
  ['nothing', ''],
  ['a page', '<html>'],
  ['half an object', '{"a":[1,'],
  ['half a string', '{"a":"bc'],
  ['half a file', `{"a":"${'A'.repeat(200_000)}`],
  ['more than one value', '{"a":1} {"b":2}'],
  ['null', 'null'],
])('an answer of %s is rejected, and leaves no file', async (_, text) => {
  await expect(unpack(text)).rejects.toMatchObject({ name: 'EngineError', code: 'engine_error', retryable: true });
  await expect.poll(filesLeft).toEqual([]);
});

test('files of an answer that turns out to be invalid are deleted', async () => {
  await expect(unpack(`{"a":"${'A'.repeat(200_000)}","b":`)).rejects.toThrow('no whole JSON');
  for (const broken of ['*', '-A', 'A_A', 'A=A', 'A===', 'A', 'AA=', '\t', `*${'A'.repeat(30_000)}`])
    await expect(unpack(`{"a":"${'A'.repeat(200_000)}${broken}"}`)).rejects.toThrow('broken base64');
  await expect.poll(filesLeft).toEqual([]);
});

test.each([
  ['deep', '['.repeat(200)],
  ['wide', `[${'1,'.repeat(2_100_000)}1]`],
  ['widely named', `{"${'a'.repeat(2_100_000)}":1}`],
  ['endlessly named', `{"${'a'.repeat(2_100_000)}`],
  ['endless in a number', `[${'1'.repeat(2_100_000)}`],
  ['wordy', `[${`"${'ab '.repeat(10_000)}",`.repeat(100)}1]`],
])('an answer that is too %s is rejected', async (_, text) => {
  await expect(unpack(text)).rejects.toMatchObject({
    message: 'an answer is longer or deeper than allowed',
    retryable: false,
  });
});

test('a file is deleted when it is collected, and cannot be collected again', async () => {
  const { f } = (await unpack(JSON.stringify({ f: 'A'.repeat(100_000) }))) as { f: SpooledFile };
  await buffer(await spool.collect(f.location));
  await expect.poll(filesLeft).toEqual([]);
  await expect(spool.collect(f.location)).rejects.toMatchObject({ code: 'engine_error', retryable: true });
});
