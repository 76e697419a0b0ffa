import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFileSettings } from '#components/studio/read-file-settings';
import { readSnippet } from '#components/studio/read-snippet';
import { LANGUAGES, toSnippet } from '#components/studio/snippets';
import { encodeAudio } from '#lib/media/encode-audio';
import { encodeImage } from '#lib/media/encode-image';

const body = {
  prompt: `It's "wet"\non the \\ hill, $HOME and 50 %: 山 🍐`,
  aspect_ratio: '16:9',
  prompt_extend: false,
  additional_images: ['https://pomona.example/a.png'],
  seed: 4294967295,
};
const call = { baseUrl: 'https://pomona.example', architecture: 'mango', body };
const write = (language: (typeof LANGUAGES)[number]['value']) => toSnippet(language, call);

test('a generated curl command is read back as the same architecture and config', () => {
  expect(readSnippet(write('curl'))).toEqual({ architecture: 'mango', config: body });
});

test('JSON is read back as the same config, as a bare body or as stored in files', () => {
  expect(readSnippet(write('json'))).toEqual({ config: body });
  const { prompt, seed, ...settings } = body;
  const carried = { generator: 'Pomona', architecture: 'mango', model_id: 'mango-v3', seed, prompt, settings };
  expect(readSnippet(JSON.stringify(carried))).toEqual({
    architecture: 'mango',
    config: { ...body, model_id: 'mango-v3' },
  });
});

test('a shell passes the JSON body of the curl command on unchanged', () => {
  const shown = execFileSync('sh', ['-c', write('curl').replace(/^curl/, 'printf "%s\\0"')]).toString();
  expect(JSON.parse(shown.split('\0').find(word => word.startsWith('{')) ?? '')).toEqual(body);
});

test('Python and TypeScript snippets write booleans in their own syntax', () => {
  const python = write('python');
  expect(python).toContain('"prompt_extend": False,');
  expect(python).toContain('https://pomona.example/v1/mango/generate');
  const typescript = write('typescript');
  expect(typescript).toContain('"prompt_extend": false');
});

test.each([
  [`--data-raw $'{"prompt":"it\\'s \\u0061 \\xe9\\u0021 \\\\n"}'`, "it's a é! \n"],
  [`-d'{"prompt":"glued"}'`, 'glued'],
  [`--data='{"prompt":"equals"}'`, 'equals'],
  [`--json $'{\\n"prompt":\\t"lines"}'`, 'lines'],
])('a curl command with %s is read', (data, prompt) => {
  const command = `curl 'https://pomona.example/v1/mango/generate' -H 'a: b' ${data} --compressed`;
  expect(readSnippet(command)).toEqual({ architecture: 'mango', config: { prompt } });
});

test.each([
  ['curl https://pomona.example/v1/mango/generate', /-d with a JSON/],
  [`curl https://pomona.example/v1/mango/generate -d '{"prompt"'`, /body of this curl command is not JSON/],
  ['hello', /neither a curl command nor JSON/],
  ['[1]', /must be an object/],
])('%s is refused with an explanation', (text, words) => {
  expect(() => readSnippet(text)).toThrow(words);
});

const folder = mkdtempSync(join(tmpdir(), 'pomona-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { prompt, seed, ...settings } = body;
const tags = { architecture: 'mango', modelId: 'mango-v3', prompt, seed, settings };
const carried = { architecture: 'mango', config: { ...body, model_id: 'mango-v3' } };

test('settings are read back from an image file', async () => {
  const data = new Uint8Array(8 * 8 * 3);
  const png = await encodeImage({ width: 8, height: 8, channels: 3, data }, tags);
  expect(await readFileSettings(new Blob([new Uint8Array(png)]))).toEqual(carried);
});

test('settings are read back from an audio file', async () => {
  const file = join(folder, 'sound.mp3');
  const silence = () => new Float32Array(48_000);
  encodeAudio(file, { left: silence(), right: silence(), sampleRate: 48_000 }, tags);
  expect(await readFileSettings(new Blob([readFileSync(file)]))).toEqual(carried);
});

test('no settings are read from a file without valid ones', async () => {
  expect(await readFileSettings(new Blob(['{"generator":"Pomona" but cut']))).toBeNull();
  expect(await readFileSettings(new Blob([new Uint8Array(5_000_000)]))).toBeNull();
});
