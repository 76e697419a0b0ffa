import { BufferTarget, Mp4OutputFormat, Output, VideoSample, VideoSampleSource } from 'mediabunny';
import { registerMediabunnyServer } from '@mediabunny/server';
import { expect, test } from 'vitest';
import { readGraph } from '#lib/engines/comfyui/read-graph';
import { encodeImage } from '#lib/media/encode-image';
import { makeAv, makeImage } from '#lib/media/media-test-files';

const GRAPH = { '3': { class_type: 'SaveImage', inputs: { images: ['8', 0] }, _meta: { title: 'Save' } } };
const EDITOR = {
  last_node_id: 9,
  nodes: [{ id: 3, type: 'SaveImage', inputs: [] }],
  links: [[1, 8, 0, 3, 0, 'IMAGE']],
  version: 0.4,
};
const bytes = (json: unknown) => Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));

test.each<[string, unknown]>([
  ['as it is', GRAPH],
  ['with remarks beside its nodes', { ...GRAPH, version: 1, extra: { by: 'a tool' } }],
  ['as the body of a request', { prompt: GRAPH, client_id: 'x' }],
  ['as an entry of the history', { extra_data: { prompt: GRAPH } }],
  ['as the editor hands it to scripts', { workflow: EDITOR, output: GRAPH }],
  ['as the editor and a tool hand it to scripts', { workflow: EDITOR, workflow_api: GRAPH }],
  ['under the name of a workflow', { workflow: GRAPH }],
  ['beside the editor’s own format', { prompt: EDITOR, output: GRAPH }],
  ['as text in JSON', { prompt: JSON.stringify(GRAPH) }],
  [
    'with numbers that only Python knows',
    JSON.stringify(GRAPH).replace('"_meta"', '"is_changed": [NaN, -Infinity], "_meta"'),
  ],
])('a graph is read %s', async (_, json) => {
  expect(await readGraph(bytes(json))).toMatchObject({
    '3': { class_type: 'SaveImage', inputs: { images: ['8', 0] } },
  });
});

async function film(raw: Record<string, string>): Promise<Buffer> {
  registerMediabunnyServer();
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ metadataFormat: 'mdta' }), target });
  const source = new VideoSampleSource({ codec: 'avc', bitrate: 100_000 });
  output.addVideoTrack(source, { frameRate: 10 });
  output.setMetadataTags({ raw });
  await output.start();
  const frame = new VideoSample(new Uint8Array(64 * 48 * 4), {
    format: 'RGBA',
    codedWidth: 64,
    codedHeight: 48,
    timestamp: 0,
    duration: 0.1,
  });
  await source.add(frame);
  frame.close();
  await output.finalize();
  return Buffer.from(target.buffer!);
}

const picture = (prompt: string) =>
  encodeImage(
    { width: 8, height: 8, channels: 3, data: new Uint8Array(192) },
    { architecture: '', modelId: '', prompt, seed: 0, settings: {} },
  );

test('a graph is read from the metadata of an image and of a video', async () => {
  expect(await readGraph(await picture(JSON.stringify(GRAPH)))).toEqual(GRAPH);
  expect(await readGraph(await film({ prompt: JSON.stringify(GRAPH), workflow: JSON.stringify(EDITOR) }))).toEqual(
    GRAPH,
  );
  expect(await readGraph(await film({ comment: JSON.stringify({ prompt: JSON.stringify(GRAPH) }) }))).toEqual(GRAPH);
});

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000);
const node = (inputs: object, class_type = 'A') => ({ class_type, inputs });

test.each<[string, () => unknown, string]>([
  [
    '100,000 nodes',
    () => Object.fromEntries(Array.from({ length: 100_000 }, (_, id) => [`n${id}`, node({ a: [`n${id + 1}`, 0] })])),
    'has 100000 nodes; at most 1000',
  ],
  ['lists in lists', () => JSON.stringify({ 1: node({ a: 'deep' }) }).replace('"deep"', DEEP), 'no ComfyUI workflow'],
  ['a class that every object has', () => ({ 1: node({ text: 'x' }, 'constructor') }), 'no ComfyUI workflow'],
])('a graph of %s is rejected', async (_, graph, message) => {
  await expect(readGraph(bytes(graph()))).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(message),
  });
});

test.each<[string, () => Promise<Buffer> | Buffer, string]>([
  ['the editor’s own format', () => bytes(EDITOR), 'own format'],
  ['a picture with only that', () => picture(JSON.stringify(EDITOR)), 'own format'],
  ['a picture without any', () => makeImage(8, 8).png().toBuffer(), 'carries no workflow'],
  ['a film without any', () => makeAv('mp4'), 'carries no workflow'],
  [
    'a picture that is cut off',
    async () => (await picture(JSON.stringify(GRAPH))).subarray(0, 60),
    'carries no workflow',
  ],
  ['other JSON', () => bytes({ a: 1 }), 'no ComfyUI workflow'],
  ['a graph without nodes', () => bytes({}), 'no ComfyUI workflow'],
  ['no JSON', () => bytes('hello'), 'no ComfyUI workflow'],
  ['nothing', () => bytes(''), 'no ComfyUI workflow'],
  [
    'JSON in JSON without an end',
    () => bytes({ prompt: { prompt: { prompt: { prompt: { prompt: { prompt: GRAPH } } } } } }),
    'no ComfyUI workflow',
  ],
])('%s is rejected with an explanation of how to export the API format', async (_, file, message) => {
  await expect(readGraph(await file())).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(new RegExp(`${message}.*Export \\(API\\)`)),
  });
});
