import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultsOf } from '#lib/catalog/architecture';
import { loadCatalog } from '#lib/catalog/catalog';
import { outputOf } from '#lib/catalog/output-of';
import { readWorkflow } from '#lib/catalog/read-workflow';
import { isModelFile } from '#lib/engines/comfyui/answers';
import { graphOf } from '#lib/engines/comfyui/bind-workflow';
import { startComfyui, type ComfyuiTestServer } from '#lib/engines/comfyui/comfyui-test-server';
import { createComfyuiEngine } from '#lib/engines/comfyui/engine';
import type { Graph } from '#lib/engines/comfyui/workflow';
import { loadWorkflows } from '#lib/engines/comfyui/workflows';
import { writeInput } from '#lib/engines/compliance';
import type { Engine, EngineJob } from '#lib/engines/engine';
import { makeImage } from '#lib/media/media-test-files';

process.env.LOG_LEVEL = 'silent';
const catalog = loadCatalog('catalog');
const read = (json: unknown) => readWorkflow(json, catalog.find);
const shipped = loadWorkflows('catalog', { read });
const served = [...new Set(shipped.list.map(({ architecture }) => architecture))];
const variants = served.flatMap(id => catalog.find(id)!.model_ids.map(modelId => [id, modelId] as const));
const files = shipped.list.flatMap(one =>
  one.models.flatMap(model =>
    Object.values(graphOf(one, model)).flatMap(node => Object.values(node.inputs).filter(isModelFile)),
  ),
);

let server: ComfyuiTestServer;
let engine: Engine;
let picture: Awaited<ReturnType<typeof writeInput>>;
const context = { signal: new AbortController().signal };
beforeAll(async () => {
  server = await startComfyui({ version: '0.38.1', files });
  engine = createComfyuiEngine({ id: 'box', url: server.url }, { workflows: shipped.list });
  picture = await writeInput(await makeImage(80, 60).png().toBuffer(), 'first.png');
});
afterAll(async () => {
  await engine.close?.();
  await server.close();
  await picture.remove();
});

/** Returns the graph that the server receives for a job with these settings. */
async function graphFor(
  id: string,
  modelId: string,
  config: object = {},
  changes: Partial<EngineJob> = {},
): Promise<Graph> {
  const architecture = catalog.find(id)!;
  const whole = { ...defaultsOf(architecture, modelId), ...config };
  const output = outputOf(architecture, whole);
  const base = { requestId: randomUUID(), claim: 1, attempt: 1, prompt: 'a (red:1.2) house', seed: 42, inputs: [] };
  const job: EngineJob = { ...base, architecture: id, modelId, config: whole, output, ...changes };
  const ref = await engine.submit(job, engine.reserve(job), context);
  for await (const _ of engine.watch!(ref, context));
  expect(await engine.poll(ref, context)).toMatchObject({ state: 'succeeded', output: { width: output.width } });
  return server.taken.at(-1)!;
}

const of = (graph: Graph, className: string) =>
  Object.values(graph).find(node => node.class_type === className)?.inputs;

test('the shipped workflows are valid, and serve the expected architectures', () => {
  expect(shipped.errors).toEqual([]);
  expect(served.sort()).toEqual(['anima', 'chroma', 'hidream', 'ltx_video', 'z_image']);
});

test.each(variants)(
  '%s with %s runs on a server that has the files, with the prompt, the seed and the size of the job',
  async (id, model) => {
    const wide = { aspect_ratio: '21:9' };
    const graph = await graphFor(id, model, wide);
    const architecture = catalog.find(id)!;
    const { width, height } = outputOf(architecture, { ...defaultsOf(architecture, model), ...wide });
    expect(Object.values(graph).map(node => node.inputs)).toContainEqual(expect.objectContaining({ width, height }));
    const inputs = Object.values(graph).flatMap(node => Object.values(node.inputs));
    expect(inputs).toContain('a (red:1.2) house');
    expect(inputs).toContain(42);
    expect(inputs.filter(value => typeof value === 'string' && value.startsWith('pomona/'))).toHaveLength(1);
  },
);

test('a probe reports which files a server lacks for which models', async () => {
  const bare = await startComfyui({ version: '0.3.64', files: ['ae.safetensors', 'qwen_3_4b.safetensors'] });
  const poor = createComfyuiEngine({ id: 'bare', url: bare.url }, { workflows: shipped.list });
  const found = await poor.probe();
  expect(found).toMatchObject({ ok: true, version: '0.3.64', models: ['ae.safetensors', 'qwen_3_4b.safetensors'] });
  expect(found.lacks).toContainEqual({
    architecture: 'z_image',
    modelId: 'z-image-turbo',
    names: ['z_image_turbo_bf16.safetensors'],
  });
  expect(found.lacks).toContainEqual({
    architecture: 'ltx_video',
    modelId: 'ltx-video-096-dev',
    names: ['ltxv-2b-0.9.6-dev-04-25.safetensors', 't5xxl_fp16.safetensors'],
  });
  await poor.close?.();
  await bare.close();
  expect((await engine.probe()).lacks).toEqual([]);
});

test('a file that a loader misses only when it runs is named in the error', async () => {
  const bare = await startComfyui({ version: '0.3.64', files: ['hidream_i1_fast_fp8.safetensors', 'ae.safetensors'] });
  const poor = createComfyuiEngine({ id: 'bare', url: bare.url }, { workflows: shipped.list });
  const architecture = catalog.find('hidream')!;
  const config = defaultsOf(architecture, 'hidream-fast');
  const base = { requestId: randomUUID(), claim: 1, attempt: 1, prompt: 'a house', seed: 42, inputs: [] };
  const job = {
    ...base,
    architecture: 'hidream',
    modelId: 'hidream-fast',
    config,
    output: outputOf(architecture, config),
  };
  const ref = await poor.submit(job, poor.reserve(job), context);
  for await (const _ of poor.watch(ref, context));
  expect(await poor.poll(ref, context)).toMatchObject({
    state: 'failed',
    error: { code: 'model_missing', message: expect.stringContaining('clip_l_hidream.safetensors') },
  });
  await poor.close();
  await bare.close();
});

test('z_image has a guidance of 1, and hidream takes the guidance that is sent, or else 1', async () => {
  expect(of(await graphFor('z_image', 'z-image-turbo', { num_inference_steps: 12 }), 'KSampler')).toMatchObject({
    cfg: 1,
    steps: 12,
  });
  const guidance = async (config: object) => of(await graphFor('hidream', 'hidream-fast', config), 'KSampler')?.cfg;
  expect([await guidance({ guidance_scale: 2.5 }), await guidance({})]).toEqual([2.5, 1]);
});

test('anima takes sampler and shift by name, and escapes parentheses if prompt weighting is off', async () => {
  const graph = await graphFor('anima', 'anima-v1', { scheduler: 'dpmpp_2m', shift: 4.5, prompt_weighting: false });
  expect(of(graph, 'KSampler')).toMatchObject({ sampler_name: 'dpmpp_2m', scheduler: 'simple' });
  expect(of(graph, 'ModelSamplingAuraFlow')).toMatchObject({ shift: 4.5 });
  expect(graph.positive!.inputs.text).toBe(String.raw`a \(red:1.2\) house`);
});

test('a sampler that the server lacks is reported as invalid input', async () => {
  await expect(graphFor('anima', 'anima-v1', { scheduler: 'best' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining("sampler_name: 'best' not in list"),
  });
});

test('ltx_video uses whole groups of frames, one frame rate, and weights and guidance for each variant', async () => {
  const distilled = await graphFor('ltx_video', 'ltx-video-096-distilled', { resolution: '720p' });
  const latent = of(distilled, 'EmptyLTXVLatentVideo')!;
  expect([Number(latent.width) % 32, Number(latent.height) % 32, Number(latent.length) % 8]).toEqual([0, 0, 1]);
  expect(of(distilled, 'LTXVConditioning')!.frame_rate).toBe(of(distilled, 'CreateVideo')!.fps);
  expect(of(distilled, 'SamplerCustom')!.cfg).toBe(1);
  const dev = await graphFor('ltx_video', 'ltx-video-096-dev');
  expect(of(dev, 'SamplerCustom')!.cfg).toBe(3);
  expect(of(dev, 'LTXVScheduler')!.steps).toBe(20);
  expect(of(dev, 'CheckpointLoaderSimple')!.ckpt_name).toBe('ltxv-2b-0.9.6-dev-04-25.safetensors');
});

test('ltx_video uploads a first frame and starts the video with it', async () => {
  const inputs = [{ role: 'first_frame' as const, path: picture.path, contentType: 'image/png' }];
  const graph = await graphFor('ltx_video', 'ltx-video-096-distilled', {}, { inputs });
  expect(server.uploads).toContain(of(graph, 'LoadImage')!.image);
  expect(of(graph, 'LTXVImgToVideo')).toMatchObject({ length: 121 });
});

test('inputs that no workflow takes, and models that none serves, are rejected before anything is sent', async () => {
  const count = server.taken.length;
  const inputs = [{ role: 'last_frame' as const, path: picture.path, contentType: 'image/png' }];
  await expect(graphFor('ltx_video', 'ltx-video-096-dev', {}, { inputs })).rejects.toMatchObject({
    code: 'invalid_input',
    retryable: false,
  });
  await expect(graphFor('ltx_video', 'ltx-video-2')).rejects.toMatchObject({ code: 'model_missing', retryable: false });
  expect(server.taken).toHaveLength(count);
});

test('an invalid workflow file is reported with its path, and its last valid version stays in use', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'workflows-'));
  await mkdir(join(dir, 'workflows'));
  const file = join(dir, 'workflows/z.json');
  await writeFile(file, JSON.stringify(shipped.list.find(({ architecture }) => architecture === 'z_image')));
  const good = loadWorkflows(dir, { read });
  expect(good.list).toHaveLength(1);
  await writeFile(file, '{"architecture"');
  const bad = loadWorkflows(dir, { read, previous: good });
  expect(bad.list).toEqual(good.list);
  expect(bad.errors).toEqual([{ file, place: '', message: expect.stringMatching(/./) }]);
  // a directory in place of the file cannot be read at all
  await rm(file);
  await mkdir(file);
  const unread = loadWorkflows(dir, { read, previous: bad });
  expect(unread.list).toEqual(good.list);
  expect(unread.errors).toEqual([{ file, place: '', message: expect.stringContaining('EISDIR') }]);
  await rm(dir, { recursive: true });
});
