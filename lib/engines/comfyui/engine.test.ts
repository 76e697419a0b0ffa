import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { startComfyui, type ComfyuiTestOptions } from '#lib/engines/comfyui/comfyui-test-server';
import { createComfyuiEngine } from '#lib/engines/comfyui/engine';
import { Workflow } from '#lib/engines/comfyui/workflow';
import { testEngine, writeInput, type EngineRig } from '#lib/engines/compliance';
import type { EngineJob, EngineTraits, Snapshot } from '#lib/engines/engine';
import { json, startTestService } from '#lib/engines/remote/service-test-server';
import type { OutputSpec } from '#lib/output-spec';
import { makeMovingPng } from '#lib/media/hostile-test-media';
import { makeImage } from '#lib/media/media-test-files';

const IMAGE: OutputSpec = { type: 'image', width: 64, height: 48, duration: 0, fps: 0, sound: false, sampleRate: 0 };
const VIDEO: OutputSpec = {
  type: 'video',
  width: 64,
  height: 48,
  duration: 1,
  fps: 24,
  sound: true,
  sampleRate: 44_100,
};
const AUDIO: OutputSpec = { type: 'audio', width: 0, height: 0, duration: 1, fps: 0, sound: true, sampleRate: 44_100 };

type Nodes = Record<string, [className: string, inputs: Record<string, unknown>]>;
const graph = (nodes: Nodes) =>
  Object.fromEntries(Object.entries(nodes).map(([id, [class_type, inputs]]) => [id, { class_type, inputs }]));

/** Nodes that need no model files, so that they also run on a live server. */
const picture: Nodes = {
  '1': ['EmptyImage', { width: 64, height: 48, batch_size: 1, color: 0 }],
  '2': ['SaveImage', { images: ['1', 0], filename_prefix: 'x' }],
};
const seeded = [
  { to: [{ class: 'EmptyImage', input: 'color' }], set: { from: 'seed', max: 16_777_215 } },
  { to: [{ class: 'EmptyImage', input: 'width' }], set: { from: 'output.width' } },
  { to: [{ class: 'EmptyImage', input: 'height' }], set: { from: 'output.height' } },
];

function workflow(architecture: string, nodes: Nodes, more: object = {}): Workflow {
  return Workflow.parse({ architecture, models: ['m'], graph: graph(nodes), bindings: seeded, ...more });
}

/** Many slow nodes, between which a server of any speed can be cancelled. */
function blurs(): Nodes {
  const chain: Nodes = { '1': ['EmptyImage', { width: 1024, height: 1024, batch_size: 4, color: 0 }] };
  for (let at = 2; at <= 200; at++)
    chain[at] = ['ImageBlur', { image: [String(at - 1), 0], blur_radius: 31, sigma: 1 + at / 100 }];
  return { ...chain, save: ['SaveImage', { images: ['200', 0], filename_prefix: 'x' }] };
}

/** An image made by a sampler, for servers that have the model files. */
const sampled = (file: string): Nodes => ({
  '1': ['UNETLoader', { unet_name: file, weight_dtype: 'default' }],
  '2': ['CLIPLoader', { clip_name: file, type: 'ltxv' }],
  '3': ['VAELoader', { vae_name: file }],
  '4': ['CLIPTextEncode', { clip: ['2', 0], text: '' }],
  '5': ['EmptyLatentImage', { width: 64, height: 48, batch_size: 1 }],
  '6': [
    'KSampler',
    {
      model: ['1', 0],
      positive: ['4', 0],
      negative: ['4', 0],
      latent_image: ['5', 0],
      seed: 0,
      steps: 8,
      cfg: 1,
      sampler_name: 'euler',
      scheduler: 'simple',
      denoise: 1,
    },
  ],
  '7': ['VAEDecode', { samples: ['6', 0], vae: ['3', 0] }],
  '8': ['SaveImage', { images: ['7', 0], filename_prefix: 'x' }],
});

const WORKFLOWS = [
  workflow('plain', picture),
  workflow('sampled', sampled('a.safetensors'), {
    bindings: [
      { to: [{ class: 'KSampler', input: 'seed' }], set: { from: 'seed' } },
      { to: [{ class: 'EmptyLatentImage', input: 'width' }], set: { from: 'output.width' } },
      { to: [{ class: 'EmptyLatentImage', input: 'height' }], set: { from: 'output.height' } },
    ],
  }),
  workflow('long', blurs(), { bindings: [seeded[0]] }),
  workflow(
    'two',
    {
      ...picture,
      '3': ['SaveImage', { images: ['1', 0], filename_prefix: 'x' }],
      '4': ['PreviewImage', { images: ['1', 0] }],
    },
    { output: { class: 'SaveImage', nth: 1 } },
  ),
  workflow('none', { '1': picture['1']! }),
  workflow(
    'upload',
    {
      '1': ['LoadImage', { image: 'example.png' }],
      '2': ['SaveImage', { images: ['1', 0], filename_prefix: 'x' }],
    },
    { bindings: [{ to: [{ class: 'LoadImage', input: 'image' }], set: { from: 'input.reference' } }] },
  ),
  workflow('video', {
    '1': ['EmptyImage', { width: 64, height: 48, batch_size: 24, color: 0 }],
    '2': ['EmptyAudio', { duration: 1, sample_rate: 44_100, channels: 2 }],
    '3': ['CreateVideo', { images: ['1', 0], fps: 24, audio: ['2', 0] }],
    '4': ['SaveVideo', { video: ['3', 0], filename_prefix: 'x', format: 'mp4', codec: 'h264', 'format.codec': 'h264' }],
  }),
  workflow(
    'audio',
    {
      '1': ['EmptyAudio', { duration: 1, sample_rate: 44_100, channels: 2 }],
      '2': ['SaveAudioMP3', { audio: ['1', 0], filename_prefix: 'x', quality: 'V0' }],
    },
    { bindings: [] },
  ),
  workflow('missing', sampled('no-such-model.safetensors'), { bindings: [] }),
];

const job = (architecture: string, output = IMAGE, changes: Partial<EngineJob> = {}): EngineJob => ({
  requestId: randomUUID(),
  claim: 1,
  attempt: 1,
  architecture,
  modelId: 'm',
  prompt: 'a house',
  seed: 1,
  config: {},
  output,
  inputs: [],
  ...changes,
});

async function makeRig(server: { url: string; secret?: string }): Promise<EngineRig> {
  const input = await writeInput(await makeImage(80, 60).png().toBuffer(), 'given.png');
  const upload = job('upload', IMAGE, { inputs: [{ role: 'reference', path: input.path, contentType: 'image/png' }] });
  return {
    url: server.url,
    ...(server.secret && { secret: server.secret }),
    connect: (url, { answerMs }) =>
      createComfyuiEngine(
        { id: 'box', url, ...(server.secret && { secret: server.secret }) },
        { workflows: WORKFLOWS, answerMs, quietMs: 300 },
      ),
    jobs: {
      plain: job('plain'),
      long: job('long'),
      more: [upload, job('video', VIDEO), job('audio', AUDIO)],
      two: job('two'),
      none: job('none'),
      wrong: job('plain', VIDEO),
      missing: { job: job('missing'), name: 'no-such-model.safetensors' },
    },
    close: input.remove,
  };
}

const TRAITS: EngineTraits = {
  clientChosenId: true,
  resumable: true,
  cancelQueued: true,
  cancelRunning: true,
  progress: 'steps',
};

for (const version of ['0.3.64', '0.38.1'] as const)
  testEngine(`comfyui ${version}`, TRAITS, async () => {
    const server = await startComfyui({ version, files: ['a.safetensors'], secret: 'hush-hush' });
    const rig = await makeRig(server);
    return {
      ...rig,
      jobs: {
        ...rig.jobs,
        plain: job('sampled'),
        huge: job('plain', { ...IMAGE, width: 16_384, height: 16_384 }),
        memory: job('plain', { ...IMAGE, width: 8192 }),
      },
      restart: server.restart,
      submissions: () => server.taken.length,
      close: async () => void (await Promise.all([rig.close(), server.close()])),
    };
  });

const { signal } = new AbortController();

/** Starts a test server and an engine for it, which are closed after the test. */
async function connect(options: ComfyuiTestOptions, quietMs?: number) {
  const server = await startComfyui(options);
  const engine = createComfyuiEngine(
    { id: 'box', url: server.url },
    { workflows: WORKFLOWS, ...(quietMs && { quietMs }) },
  );
  onTestFinished(async () => {
    await engine.close();
    await server.close();
  });
  return { server, engine };
}

test.each([undefined, 'to_interrupt'] as const)(
  'an older server interrupts only the job that is cancelled (ignores ids: %s)',
  async ignoresIds => {
    const { server, engine } = await connect({ version: '0.3.64', ...(ignoresIds && { ignoresIds }) });
    const [runs, waits] = [job('long'), job('long')].map(one => ({ one, ref: engine.reserve(one) }));
    for (const { one, ref } of [runs!, waits!]) await engine.submit(one, ref, { signal });
    expect(await engine.cancel(waits!.ref)).toBe('cancelled');
    expect(server.interrupts).toEqual([]);
    expect(await engine.cancel(runs!.ref)).toMatch(/^(requested|cancelled)$/);
    // an interrupt without an id would stop any running job
    expect(server.interrupts).toEqual([runs!.ref.id]);
  },
);

test('a server that ignores the ids of jobs is rejected as too old, and its job is interrupted', async () => {
  const { server, engine } = await connect({ version: '0.3.64', ignoresIds: 'of_jobs' });
  const long = job('long');
  await expect(engine.submit(long, engine.reserve(long), { signal })).rejects.toMatchObject({
    code: 'engine_unavailable',
    retryable: false,
    message: expect.stringContaining('too old'),
  });
  expect(server.taken).toHaveLength(1);
  // the accepted job was interrupted
  expect(server.interrupts).toHaveLength(1);
});

test('a cancelled job ends even if the socket keeps reporting on it', async () => {
  const { engine } = await connect({ version: '0.38.1', talksOn: true }, 300);
  const long = job('long');
  const ref = await engine.submit(long, engine.reserve(long), { signal });
  let cancelled: unknown;
  let last: Snapshot | undefined;
  for await (last of engine.watch(ref, { signal: AbortSignal.timeout(10_000) }))
    if ('told' in last) cancelled ??= engine.cancel(ref);
  expect(last).toEqual({ state: 'cancelled' });
});

/** Creates an engine for a server that responds with `answer`. */
async function engineOf(answer: (route: string, request: Request) => unknown) {
  const server = await startTestService(
    async (request, route) => {
      const said = (await answer(route, request)) ?? {};
      return said instanceof Response ? said : json(said);
    },
    () => {},
  );
  const engine = createComfyuiEngine({ id: 'box', url: server.url }, { workflows: WORKFLOWS });
  onTestFinished(async () => void (await Promise.all([engine.close(), server.close()])));
  return engine;
}

test('the queue position is that of the turn, in whatever order the server lists waiting jobs', async () => {
  const waiting = [
    [3, 'first'],
    [7, 'third'],
    [5, 'second'],
  ];
  const engine = await engineOf(() => ({ queue_running: [], queue_pending: waiting }));
  expect(await engine.poll({ id: 'second' }, { signal })).toEqual({ state: 'queued', position: 2 });
});

test('a graph that the server accepts only in part is cancelled, and rejected as invalid input', async () => {
  const plain = job('plain');
  let running: unknown[] = [];
  const engine = await engineOf((route, request) => {
    if (route === 'GET /queue') return { queue_running: running, queue_pending: [] };
    if (route.endsWith('/cancel')) running = [];
    if (route !== 'POST /prompt') return route.startsWith('POST') ? { cancelled: true } : {};
    running = [[1, ref.id]];
    const errors = [{ type: 'required_input_missing', message: 'Required input is missing' }];
    return request.json().then(() => ({ prompt_id: ref.id, node_errors: { 2: { class_type: 'SaveImage', errors } } }));
  });
  const ref = engine.reserve(plain);
  await expect(engine.submit(plain, ref, { signal })).rejects.toMatchObject({ code: 'invalid_input' });
  expect(running).toEqual([]);
});

test('the nodes of a server are read again after it was unreachable', async () => {
  let [isAway, asked] = [false, 0];
  const engine = await engineOf(route => {
    if (isAway) throw new Error('away');
    if (route.startsWith('GET /object_info')) asked += 1;
    return route === 'GET /system_stats' ? { system: {} } : {};
  });
  await engine.probe();
  const first = asked;
  await engine.probe();
  expect(asked).toBe(first);
  isAway = true;
  expect(await engine.probe()).toMatchObject({ ok: false });
  isAway = false;
  await engine.probe();
  expect(asked).toBe(2 * first);
});

test('a node class that cannot be described is reported as missing for the models that use it', async () => {
  const { engine } = await connect({ version: '0.38.1', files: ['a.safetensors'], broken: 'CreateVideo' });
  const { ok, lacks } = await engine.probe();
  expect(ok).toBe(true);
  expect(lacks).toEqual([
    { architecture: 'video', modelId: 'm', names: ['CreateVideo'] },
    { architecture: 'missing', modelId: 'm', names: ['no-such-model.safetensors'] },
  ]);
});

test('a job that is aborted while the server accepts it is cancelled there', async () => {
  const stop = new AbortController();
  // a cancel by id does not find the job yet
  const beforeTaking = async () => {
    stop.abort('enough');
    expect(await engine.cancel(ref)).toBe('too_late');
  };
  const server = await startComfyui({ version: '0.38.1', beforeTaking });
  const engine = createComfyuiEngine({ id: 'box', url: server.url }, { workflows: WORKFLOWS });
  const long = job('long');
  const ref = engine.reserve(long);
  await expect(engine.submit(long, ref, { signal: stop.signal })).rejects.toBe('enough');
  expect(server.taken).toHaveLength(1);
  const stateOf = async () => (await engine.poll(ref, { signal: new AbortController().signal })).state;
  await expect.poll(stateOf).toMatch(/^(lost|cancelled)$/);
  await engine.close();
  await server.close();
});

test('an animated PNG is uploaded as its first frame', async () => {
  const server = await startComfyui({ version: '0.38.1' });
  const engine = createComfyuiEngine({ id: 'box', url: server.url }, { workflows: WORKFLOWS });
  const input = await writeInput(makeMovingPng(await makeImage(80, 60).png().toBuffer()), 'moving.png');
  const given = job('upload', IMAGE, { inputs: [{ role: 'reference', path: input.path, contentType: 'image/png' }] });
  await engine.submit(given, engine.reserve(given), { signal: new AbortController().signal });
  const sent = server.lastUpload();
  expect(await sharp(sent).metadata()).toMatchObject({ format: 'png', width: 80, height: 60 });
  expect(Buffer.from(sent!).includes('acTL')).toBe(false);
  await input.remove();
  await engine.close();
  await server.close();
});

test('an upload above the size limit of the server is invalid input, and the error says to raise the limit', async () => {
  const engine = await engineOf(route => {
    if (route === 'POST /upload/image') return new Response('Maximum request body size exceeded', { status: 413 });
    return route === 'GET /queue' ? { queue_running: [], queue_pending: [] } : {};
  });
  const input = await writeInput(await makeImage(80, 60).png().toBuffer(), 'large.png');
  const given = job('upload', IMAGE, { inputs: [{ role: 'reference', path: input.path, contentType: 'image/png' }] });
  await expect(engine.submit(given, engine.reserve(given), { signal })).rejects.toMatchObject({
    code: 'invalid_input',
    retryable: false,
    message: expect.stringContaining('raise the limit of the server'),
  });
  await input.remove();
});

test.each<[string, object]>([
  [
    'an error',
    { status: { status_str: 'error', messages: [['execution_error', { exception_message: 'no '.repeat(1e6) }]] } },
  ],
  ['a name of a file', { outputs: { 2: { images: [{ filename: 'no '.repeat(1e6) }] } } }],
])('%s of several megabytes is shortened in the error message', async (_, entry) => {
  const ref = { id: 'long', data: { output: IMAGE, steps: [] } };
  const engine = await engineOf(route =>
    route === 'GET /queue' ? { queue_running: [], queue_pending: [] } : { [ref.id]: { outputs: {}, ...entry } },
  );
  const ended = await engine.poll(ref, { signal });
  if (ended.state !== 'failed') throw new Error(ended.state);
  expect(ended.error.message).toContain('no no');
  expect(ended.error.message.length).toBeLessThan(5_000);
});

test.each([
  { filename: '狐 ä+#1%20&x=1.png', subfolder: 'pomona/übung/a b', type: 'output' },
  { filename: 'x_00001_.PNG', subfolder: 'pomona\\x', type: 'output' },
  { filename: 'ComfyUI_temp_abcde_00001_.png', subfolder: '', type: 'temp' },
])('a file is requested by the exact name that the server reports: $filename', async file => {
  const png = await makeImage(64, 48).png().toBuffer();
  const plain = job('plain');
  const engine = await engineOf((route, request) => {
    if (route === 'GET /queue') return { queue_running: [], queue_pending: [] };
    if (route !== 'GET /view') return { [ref.id]: { outputs: { 2: { images: [file] } } } };
    const asked = Object.fromEntries(new URL(request.url).searchParams);
    return new Response(new Uint8Array(png), { status: isDeepStrictEqual(asked, file) ? 200 : 404 });
  });
  const ref = engine.reserve(plain);
  const made = await engine.poll(ref, { signal });
  if (made.state !== 'succeeded') throw new Error(made.state);
  expect(png.equals(await buffer(await engine.collect(made.output, { signal })))).toBe(true);
});

const live = process.env.COMFYUI_URL;
if (live)
  testEngine(`comfyui at ${live}`, TRAITS, () =>
    makeRig({ url: live, ...(process.env.COMFYUI_SECRET && { secret: process.env.COMFYUI_SECRET }) }),
  );
