import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultsOf } from '#lib/catalog/architecture';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { outputOf } from '#lib/catalog/output-of';
import { readCatalogFile } from '#lib/catalog/read-catalog-file';
import { nodeInfos } from '#lib/engines/comfyui/comfyui-test-graph';
import { startComfyui, type ComfyuiTestServer } from '#lib/engines/comfyui/comfyui-test-server';
import { createComfyuiEngine } from '#lib/engines/comfyui/engine';
import { buildFiles } from '#lib/catalog/import/build-files';
import type { ImportChoices } from '#lib/catalog/import/import-choices';
import { importWorkflow } from '#lib/catalog/import/import-workflow';
import { Workflow, type Graph } from '#lib/engines/comfyui/workflow';
import { loadWorkflows } from '#lib/engines/comfyui/workflows';
import { writeInput } from '#lib/engines/compliance';
import type { EngineJob, JobInput } from '#lib/engines/engine';
import { makeImage } from '#lib/media/media-test-files';

const FILES = ['a.safetensors', 'b.safetensors'];
const infos = nodeInfos(FILES);

/** Returns a graph of nodes given as `[class, inputs, title]` by id. */
const graphOf = (nodes: Record<string, [string, Record<string, unknown>, string?]>): Graph =>
  Object.fromEntries(
    Object.entries(nodes).map(([id, [class_type, inputs, title]]) => [
      id,
      { class_type, inputs: inputs as Graph[string]['inputs'], ...(title && { _meta: { title } }) },
    ]),
  );

const found = (nodes: Parameters<typeof graphOf>[0]) => importWorkflow(graphOf(nodes), infos);
const sources = (proposals: ReturnType<typeof found>['proposals']) =>
  Object.fromEntries(
    proposals.filter(({ on }) => on).map(({ name, binding }) => [name, 'from' in binding.set && binding.set.from]),
  );
const one = (nodes: ReturnType<typeof found>, name: string) =>
  nodes.proposals.find(proposal => proposal.name === name)!;

const SAMPLER = { seed: 1, steps: 24, cfg: 6.5, sampler_name: 'euler', scheduler: 'normal', denoise: 1 };

/** Returns the nodes of a complete text-to-image graph; `more` replaces or adds nodes. */
const sampled = (more: Parameters<typeof graphOf>[0] = {}) => ({
  '4': ['CheckpointLoaderSimple', { ckpt_name: 'a.safetensors' }] as [string, Record<string, unknown>],
  '5': ['EmptyLatentImage', { width: 832, height: 1216, batch_size: 1 }] as [string, Record<string, unknown>],
  '6': ['CLIPTextEncode', { text: 'a fox', clip: ['4', 1] }, 'CLIP Text Encode (Prompt)'] as [
    string,
    Record<string, unknown>,
    string,
  ],
  '7': ['CLIPTextEncode', { text: 'ugly', clip: ['4', 1] }, 'CLIP Text Encode (Prompt)'] as [
    string,
    Record<string, unknown>,
    string,
  ],
  '3': [
    'KSampler',
    {
      ...SAMPLER,
      model: ['4', 0],
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
    },
  ] as [string, Record<string, unknown>],
  '8': ['VAEDecode', { samples: ['3', 0], vae: ['4', 2] }] as [string, Record<string, unknown>],
  '9': ['SaveImage', { images: ['8', 0], filename_prefix: 'ComfyUI' }] as [string, Record<string, unknown>],
  ...more,
});

let server: ComfyuiTestServer;
let picture: Awaited<ReturnType<typeof writeInput>>;
beforeAll(async () => {
  server = await startComfyui({ version: '0.38.1', files: FILES });
  picture = await writeInput(await makeImage(80, 60).png().toBuffer(), 'given.png');
});
afterAll(async () => {
  await server.close();
  await picture.remove();
});

/** Builds the files of an import, loads them, and returns them with the graph that a server ran for a default job. */
async function make(
  from: ReturnType<typeof found>,
  choices: Partial<ImportChoices> = {},
  roles: JobInput['role'][] = [],
) {
  const { architecture, workflow, issues } = buildFiles(from, { id: 'mine', name: 'Mine', ...choices });
  expect(issues).toEqual({ architecture: [], workflow: [] });
  const loaded = readCatalogFile(JSON.parse(JSON.stringify(architecture))).architecture!;
  const engine = createComfyuiEngine({ id: 'box', url: server.url }, { workflows: [Workflow.parse(workflow)] });
  const config = defaultsOf(loaded, 'mine');
  const output = outputOf(loaded, config);
  const base = {
    requestId: randomUUID(),
    claim: 1,
    attempt: 1,
    architecture: 'mine',
    modelId: 'mine',
    prompt: 'a hare',
    seed: 77,
  };
  const inputs = roles.map(role => ({ role, path: picture.path, contentType: 'image/png' }));
  const job: EngineJob = { ...base, config, output, inputs };
  const context = { signal: new AbortController().signal };
  const ref = await engine.submit(job, engine.reserve(job), context);
  for await (const _ of engine.watch(ref, context));
  expect(await engine.poll(ref, context)).toMatchObject({ state: 'succeeded' });
  await engine.close();
  return { architecture, loaded, graph: server.taken.at(-1)! };
}

test.each(loadWorkflows('catalog').list.map(one => [Object.keys(one.graph).join(' '), one] as const))(
  'the import finds the values that a shipped workflow binds: %s',
  (_, shipped) => {
    const { proposals } = importWorkflow(shipped.graph, infos);
    const all = new Set(proposals.map(({ binding }) => 'from' in binding.set && binding.set.from));
    const byHand = shipped.bindings.flatMap(({ set }) => ('from' in set ? [set.from] : []));
    // fields without a common definition may have any name
    for (const from of byHand) if (!/config\.(scheduler|shift)/.test(from)) expect(all).toContain(from);
  },
);

test('a text-to-image graph exposes prompts, seed, size and steps, and offers weights and samplers', async () => {
  const from = found(sampled());
  expect(sources(from.proposals)).toEqual({
    prompt: 'prompt',
    negative_prompt: 'config.negative_prompt',
    seed: 'seed',
    num_inference_steps: 'config.num_inference_steps',
    guidance_scale: 'config.guidance_scale',
    width: 'output.width',
    height: 'output.height',
  });
  expect(one(from, 'ckpt_name')).toMatchObject({ on: false, field: { enum: FILES, default: 'a.safetensors' } });
  expect(one(from, 'sampler_name')).toMatchObject({ on: false, field: { type: 'string' } });
  expect(one(from, 'denoise')).toMatchObject({ field: { minimum: 0, maximum: 1, default: 1 } });
  expect(from.proposals.map(({ name }) => name)).not.toContain('model');
  expect(from.missing).toEqual({ nodes: [], files: [] });
  expect(one(from, 'guidance_scale').binding.set).toEqual({ from: 'config.guidance_scale', min: 0 });
  const { architecture, graph } = await make(from, {
    fields: { denoise: { name: 'strength', field: { title: 'Strength' } } },
  });
  expect(architecture).toMatchObject({
    type: 'image',
    fields: {
      aspect_ratio: { default: '2:3' },
      negative_prompt: { default: 'ugly' },
      num_inference_steps: { default: 24 },
      strength: { title: 'Strength', default: 1 },
    },
    output: { fit: 'area', side: 1006, multiple: 16 },
  });
  expect(graph['6']!.inputs.text).toBe('a hare');
  expect(graph['7']!.inputs.text).toBe('ugly');
  expect(graph['3']!.inputs).toMatchObject({ seed: 77, steps: 24 });
});

test('node titles with an @ take precedence over guessed meanings', async () => {
  const from = found(
    sampled({
      '6': ['CLIPTextEncode', { text: 'drawn in ink', clip: ['4', 1] }, '@style'],
      '7': ['CLIPTextEncode', { text: 'a fox', clip: ['4', 1] }, '@prompt'],
      '5': ['EmptyLatentImage', { width: 512, height: 512, batch_size: 2 }],
    }),
  );
  expect(sources(from.proposals)).toMatchObject({ style: 'config.style', prompt: 'prompt' });
  expect(one(from, 'style').field).toMatchObject({ title: 'Style', default: 'drawn in ink' });
  expect((await make(from)).graph['7']!.inputs.text).toBe('a hare');
});

test('a title with an @ applies only to the matching values of its node', async () => {
  const { '3': sampler, '5': latent } = sampled();
  const flux = { clip: ['4', 1], clip_l: 'a fox', t5xxl: 'a red fox', guidance: 3.5 };
  const from = found(
    sampled({
      '3': [...sampler, '@seed'] as [string, Record<string, unknown>, string],
      '5': [...latent, '@size'] as [string, Record<string, unknown>, string],
      '6': ['CLIPTextEncodeFlux', flux, '@prompt'],
    }),
  );
  const places = Object.fromEntries(from.proposals.map(({ name, binding }) => [name, binding.to.map(to => to.input)]));
  expect(places).toMatchObject({
    prompt: ['clip_l', 't5xxl'],
    seed: ['seed'],
    num_inference_steps: ['steps'],
    guidance_scale: ['guidance', 'cfg'],
    width: ['width'],
    height: ['height'],
    sampler_name: ['sampler_name'],
  });
  const { graph } = await make(from);
  expect(graph['3']!.inputs).toMatchObject({ seed: 77, steps: 24, sampler_name: 'euler' });
  expect(graph['6']!.inputs).toMatchObject({ clip_l: 'a hare', t5xxl: 'a hare', guidance: 3.5 });
});

test('values without a known meaning do not take the names of values that have one, in any order', () => {
  const scale = { image: ['20', 0], upscale_method: 'area', width: 640, height: 480, crop: 'center' };
  const ends = { positive: ['6', 0], negative: ['7', 0], vae: ['4', 2], start_image: ['21', 0] };
  const from = found({
    ...sampled({
      '20': ['LoadImage', { image: 'given.png' }],
      '21': ['ImageScale', scale],
      '22': ['WanImageToVideo', { ...ends, width: 832, height: 480, length: 81, batch_size: 1 }],
      '23': ['PrimitiveFloat', { value: 0.5 }, 'Style'],
      '24': ['StringConcatenate', { string_a: ['25', 0], string_b: ['26', 0], delimiter: '' }],
      '25': ['PrimitiveString', { value: 'ink' }, '@style'],
      '26': ['PrimitiveString', { value: 'grain' }, '画风'],
    }),
    '3': [
      'KSampler',
      { ...SAMPLER, model: ['4', 0], positive: ['22', 0], negative: ['22', 1], latent_image: ['22', 2] },
    ],
  });
  expect(sources(from.proposals)).toMatchObject({ width: 'output.width', height: 'output.height' });
  const classOf = (name: string) => one(from, name).binding.to.map(place => `${place.class}.${place.input}`);
  expect(classOf('width')).not.toContain('ImageScale.width');
  expect(classOf('imagescale_width')).toEqual(['ImageScale.width']);
  // a number and a text of the same name are two fields
  expect(one(from, 'style').binding.to).toHaveLength(1);
  expect(one(from, 'style_value').binding.to).toHaveLength(1);
  // a title without Latin letters stays the title, and the input gives the name
  expect(one(from, 'value')).toMatchObject({ field: { title: '画风', default: 'grain' } });
});

test('a value that comes from a primitive node is bound at that node', async () => {
  const from = found(
    sampled({
      '5': ['EmptyLatentImage', { width: ['20', 0], height: ['21', 0], batch_size: 1 }],
      '6': ['CLIPTextEncode', { text: ['22', 0], clip: ['4', 1] }],
      '20': ['PrimitiveInt', { value: 640 }, 'Int'],
      '21': ['PrimitiveInt', { value: 640 }, 'Height'],
      '22': ['PrimitiveStringMultiline', { value: 'a fox' }],
      '23': ['PrimitiveFloat', { value: 0.5 }, 'Grain'],
    }),
  );
  expect(sources(from.proposals)).toMatchObject({
    width: 'output.width',
    height: 'output.height',
    prompt: 'prompt',
    grain: 'config.grain',
  });
  const { graph } = await make(from, { ratios: ['1:1', '2:1'] });
  expect([graph['20']!.inputs.value, graph['22']!.inputs.value]).toEqual([640, 'a hare']);
  expect(graph['6']!.inputs.text).toEqual(['22', 0]);
});

test('input nodes of packs define their fields, and are reported as missing if the pack is not installed', () => {
  const from = found(
    sampled({
      '6': ['CLIPTextEncode', { text: ['30', 0], clip: ['4', 1] }],
      '30': [
        'ComfyUIDeployExternalText',
        { input_id: 'input_text', default_value: 'a fox', display_name: 'Words', description: 'What to draw.' },
      ],
      '31': [
        'ComfyUIDeployExternalNumberInt',
        {
          input_id: 'Detail level',
          default_value: 3,
          min_value: 1,
          max_value: 9,
          display_name: 'Detail',
          description: '',
        },
      ],
      '32': ['SwarmInputFloat', { title: 'Glow', value: 0.25, min: 0, max: 2, description: 'How much it glows.' }],
    }),
  );
  expect(from.missing.nodes).toEqual([
    'ComfyUIDeployExternalText',
    'ComfyUIDeployExternalNumberInt',
    'SwarmInputFloat',
  ]);
  expect(one(from, 'input_text')).toMatchObject({ on: true, field: { title: 'Words', description: 'What to draw.' } });
  expect(one(from, 'detail_level').field).toEqual({
    type: 'number',
    title: 'Detail',
    description: 'Detail.',
    minimum: 1,
    maximum: 9,
    multipleOf: 1,
    default: 3,
  });
  expect(one(from, 'glow').field).toMatchObject({ title: 'Glow', minimum: 0, maximum: 2 });
});

test('a limit set to null is removed from a field, and omitted properties stay as proposed', () => {
  const from = found(sampled({ '32': ['SwarmInputFloat', { title: 'Glow', value: 0.25, min: 0, max: 2 }] }));
  const { architecture } = buildFiles(from, {
    id: 'glow',
    name: 'Glow',
    fields: { glow: { field: { minimum: null, default: -1 } } },
  });
  expect(architecture.fields.glow).toEqual({ ...one(from, 'glow').field, minimum: undefined, default: -1 });
});

test('several images are bound as one list of references in order', async () => {
  const from = found({
    '1': ['LoadImage', { image: 'one.png' }],
    '2': ['LoadImage', { image: 'two.png' }],
    '3': ['ImageBatch', { image1: ['1', 0], image2: ['2', 0] }],
    '4': ['SaveImage', { images: ['3', 0], filename_prefix: 'x' }],
  });
  expect(one(from, 'image').binding).toEqual({
    to: [
      { class: 'LoadImage', feeds: 'ImageBatch.image1', input: 'image' },
      { class: 'LoadImage', feeds: 'ImageBatch.image2', input: 'image' },
    ],
    set: { from: 'input.reference', list: true },
  });
  const { architecture, graph } = await make(from, {}, ['reference', 'reference']);
  expect(architecture).toMatchObject({
    max_images: 2,
    needs: { reference: 2 },
    fields: { image: {}, additional_images: {} },
  });
  expect(server.uploads).toContain(graph['2']!.inputs.image);
});

test('optional images keep their order', () => {
  const graph = graphOf({
    ...Object.fromEntries(['1', '2', '3'].map(id => [id, ['LoadImage', { image: `${id}.png` }]])),
    '4': ['Combine', { one: ['1', 0], two: ['2', 0], three: ['3', 0] }],
    '5': ['SaveImage', { images: ['4', 0], filename_prefix: 'x' }],
  });
  const optional = { one: ['IMAGE', {}], two: ['IMAGE', {}], three: ['IMAGE', {}] } as never;
  const from = importWorkflow(graph, {
    ...infos,
    Combine: { ...infos.ImageBatch!, input: { required: {}, optional } },
  });
  expect(one(from, 'image').binding.to).toMatchObject(
    ['one', 'two', 'three'].map(input => ({ feeds: `Combine.${input}`, optional: true })),
  );
});

/** Returns a graph that inpaints a region of an image, with the mask from the given output. */
const inpainted = (mask: [string, number], more: Parameters<typeof graphOf>[0]) => {
  const { '5': _, ...nodes } = sampled({
    '10': ['LoadImage', { image: 'painted.png' }],
    '11': ['VAEEncodeForInpaint', { pixels: ['10', 0], vae: ['4', 2], mask, grow_mask_by: 6 }],
    ...more,
  });
  return found({ ...nodes, '3': ['KSampler', { ...nodes['3'][1], latent_image: ['11', 0] }] });
};

test.each([
  ['what a picture leaves transparent', inpainted(['10', 1], {}), '10_mask'],
  ['what another picture does', inpainted(['12', 1], { '12': ['LoadImage', { image: 'hole.png' }, '@mask'] }), '12'],
  [
    'a channel of a file',
    inpainted(['12', 0], { '12': ['LoadImageMask', { image: 'm.png', channel: 'alpha' }] }),
    '12',
  ],
])('a mask is a separate input that is loaded from the red channel of its file: %s', async (_, from, node) => {
  expect(sources(from.proposals)).toMatchObject({ image: 'input.reference', mask: 'input.mask' });
  const { architecture, loaded, graph } = await make(from, {}, ['reference', 'mask']);
  expect(architecture).toMatchObject({ fields: { image: {}, mask: {} }, needs: { reference: 1, mask: 1 } });
  expect(toCatalogEntry(loaded, '')).toMatchObject({
    mask_input: 'mask',
    input_schema: { required: ['prompt', 'image', 'mask'] },
  });
  expect(graph[node]).toMatchObject({ class_type: 'LoadImageMask', inputs: { channel: 'red' } });
  expect(graph['11']!.inputs.mask).toEqual([node, 0]);
  expect(server.uploads).toContain(graph[node]!.inputs.image);
});

test('required image inputs are bound before optional ones, and a custom title does not turn a file into a text', async () => {
  const from = found({
    '1': ['LoadImage', { image: 'start.png' }, '@reference'],
    '2': ['LoadImage', { image: 'base.png' }, '@my face'],
    '3': ['ImageScale', { image: ['2', 0], upscale_method: 'area', width: 64, height: 64, crop: 'disabled' }],
    '4': ['SaveImage', { images: ['3', 0], filename_prefix: 'x' }],
    '5': [
      'WanImageToVideo',
      {
        positive: ['6', 0],
        negative: ['6', 0],
        vae: ['8', 2],
        width: 64,
        height: 64,
        length: 5,
        batch_size: 1,
        start_image: ['1', 0],
      },
    ],
    '6': ['CLIPTextEncode', { text: 'runs', clip: ['8', 1] }],
    '7': ['VAEDecode', { samples: ['5', 2], vae: ['8', 2] }],
    '8': ['CheckpointLoaderSimple', { ckpt_name: 'a.safetensors' }],
    '9': ['PreviewImage', { images: ['7', 0] }],
  });
  expect(one(from, 'image').binding).toMatchObject({
    to: [{ title: '@my face' }, { title: '@reference', optional: true }],
    set: { from: 'input.reference', list: true },
  });
  const { architecture, graph } = await make(from, { output: 0 }, ['reference']);
  expect(architecture).toMatchObject({ max_images: 2, needs: { reference: 1 } });
  expect(server.uploads).toContain(graph['2']!.inputs.image);
  expect(graph['5']!.inputs).not.toHaveProperty('start_image');
});

const film = {
  '1': ['LoadImage', { image: 'a.png' }] as [string, Record<string, unknown>],
  '2': ['LoadImage', { image: 'b.png' }] as [string, Record<string, unknown>],
  '3': ['CLIPLoader', { clip_name: 'a.safetensors', type: 'wan' }] as [string, Record<string, unknown>],
  '4': ['CLIPTextEncode', { text: 'runs', clip: ['3', 0] }] as [string, Record<string, unknown>],
  '5': ['VAELoader', { vae_name: 'a.safetensors' }] as [string, Record<string, unknown>],
  '6': [
    'WanFirstLastFrameToVideo',
    {
      positive: ['4', 0],
      negative: ['4', 0],
      vae: ['5', 0],
      width: 832,
      height: 480,
      length: 81,
      batch_size: 1,
      start_image: ['1', 0],
      end_image: ['2', 0],
    },
  ] as [string, Record<string, unknown>],
  '7': ['UNETLoader', { unet_name: 'b.safetensors', weight_dtype: 'default' }] as [string, Record<string, unknown>],
  '8': [
    'KSampler',
    {
      ...SAMPLER,
      model: ['7', 0],
      positive: ['6', 0],
      negative: ['6', 1],
      latent_image: ['6', 2],
    },
  ] as [string, Record<string, unknown>],
  '9': ['VAEDecode', { samples: ['8', 0], vae: ['5', 0] }] as [string, Record<string, unknown>],
  '10': ['CreateVideo', { images: ['9', 0], fps: 16 }] as [string, Record<string, unknown>],
  '11': ['SaveVideo', { video: ['10', 0], filename_prefix: 'x', format: 'auto', codec: 'auto' }] as [
    string,
    Record<string, unknown>,
  ],
  '12': ['PreviewImage', { images: ['9', 0] }] as [string, Record<string, unknown>],
};

test('a video graph gets optional first and last frames, durations in seconds and a matching frame count', async () => {
  const from = found(film);
  expect(from.outputs).toMatchObject([
    { type: 'video', place: { class: 'SaveVideo' } },
    { type: 'image', place: { class: 'PreviewImage' } },
  ]);
  expect(sources(from.proposals)).toMatchObject({
    first_image: 'input.first_frame',
    last_image: 'input.last_frame',
    frames: 'output.frames',
    fps: 'output.fps',
  });
  expect(one(from, 'first_image').binding.to).toMatchObject([{ optional: true }]);
  const { architecture, graph } = await make(from, { seconds: ['3', '5'] });
  expect(architecture).toMatchObject({
    type: 'video',
    fields: { duration: { enum: ['3', '5'], default: '5' }, first_image: {}, last_image: {} },
    output: { fps: 16 },
    price: { seconds: { field: 'duration', base: 5 } },
  });
  expect(architecture).not.toHaveProperty('needs');
  expect(graph['6']!.inputs).toMatchObject({ length: 81 });
  expect(graph['6']!.inputs).not.toHaveProperty('start_image');
  const both = await make(from, {}, ['first_frame', 'last_frame']);
  expect(server.uploads).toContain(both.graph['2']!.inputs.image);
});

test('outputs are ordered: the one titled @result, then video, image and audio, then previews', () => {
  const graph = graphOf(
    sampled({
      '20': ['PreviewImage', { images: ['8', 0] }],
      '21': ['EmptyAudio', { duration: 12, sample_rate: 44_100, channels: 2 }],
      '22': ['SaveAudioMP3', { audio: ['21', 0], filename_prefix: 'x', quality: 'V0' }],
      '23': ['SaveWEBM', { images: ['8', 0], filename_prefix: 'x' }],
      '24': ['PreviewImage', { images: ['8', 0] }, '@result'],
    }),
  );
  const { outputs } = importWorkflow(graph, { ...infos, SaveWEBM: infos.SaveImage! });
  expect(outputs.map(({ place, type }) => [place.class, place.title, type])).toEqual([
    ['PreviewImage', '@result', 'image'],
    ['SaveWEBM', undefined, 'video'],
    ['SaveImage', undefined, 'image'],
    ['SaveAudioMP3', undefined, 'audio'],
    ['PreviewImage', undefined, 'image'],
  ]);
});

test('the operator can choose one of several outputs', async () => {
  const from = found(film);
  // the price was entered for the video output, which had been chosen before
  const price = { gems: 77, seconds: { field: 'duration', base: 3 } };
  const { architecture, graph } = await make(from, { output: 1, price, fields: { frames: false, fps: false } });
  expect(architecture).toMatchObject({ type: 'image', price: { gems: 77 } });
  expect(architecture.price).not.toHaveProperty('seconds');
  expect(graph['6']!.inputs.length).toBe(81);
});

test('sizes are multiples of the step that the node requires', async () => {
  const latent = { width: 768, height: 512, length: 97, batch_size: 1 };
  const from = found(sampled({ '5': ['EmptyLTXVLatentVideo', latent] }));
  const { architecture, graph } = await make(from, { sizes: { small: 300, usual: 627 } });
  expect(architecture.output).toMatchObject({ multiple: 32 });
  for (const side of [graph['5']!.inputs.width, graph['5']!.inputs.height]) expect(Number(side) % 32).toBe(0);
});

test('an audio graph gets a duration field and a price by duration', async () => {
  const from = found({
    '1': ['EmptyAudio', { duration: 12, sample_rate: 44_100, channels: 2 }],
    '2': ['SaveAudioMP3', { audio: ['1', 0], filename_prefix: 'x', quality: 'V0' }],
  });
  const { architecture, graph } = await make(from);
  expect(architecture).toMatchObject({
    type: 'audio',
    fields: { duration: { default: '12' } },
    price: { seconds: { base: 12 } },
  });
  expect(graph['1']!.inputs.duration).toBe(12);
});

test('a list is not offered as a field, and a text that looks like a link stays a text', async () => {
  const nodes = sampled({
    '57:8': ['EmptyImage', { width: 64, height: 64, batch_size: 1, color: ['nobody', 0] }],
    '9': ['SaveImage', { images: ['8', 0], filename_prefix: 'ComfyUI' }, '@output'],
    '58': ['PrimitiveString', { value: '["8", 0]' }, 'Motto'],
  });
  const from = found(nodes);
  expect(from.proposals.map(({ name }) => name)).not.toContain('color');
  expect(one(from, 'motto')).toMatchObject({ value: '["8", 0]' });
  expect(from.outputs[0]).toMatchObject({ place: { title: '@output' } });
});

test('files and nodes that the server lacks are reported', () => {
  const from = found(
    sampled({
      '4': ['CheckpointLoaderSimple', { ckpt_name: 'dream.safetensors' }],
      '12': ['SuperSharpener', { image: ['8', 0], amount: 2 }],
      '13': ['SuperSharpener', { image: ['8', 0], amount: 3 }],
      '14': ['SuperSharpener', { image: ['8', 0], amount: 4, duration: 1 }],
    }),
  );
  expect(from.missing).toEqual({ nodes: ['SuperSharpener'], files: ['dream.safetensors'] });
  expect(one(from, 'amount')).toMatchObject({ on: false, field: { type: 'number', default: 2 } });
  // each has a unique name, and none whose fixed meaning differs
  expect(['supersharpener_amount', 'amount_2', 'supersharpener_duration'].map(name => one(from, name).value)).toEqual([
    3, 4, 1,
  ]);
});

test.each<[string, Record<string, [string, object]>]>([
  ['nothing', {}],
  ['an animation', { '9': ['SaveAnimatedWEBP', { images: ['8', 0], fps: 6 }] }],
])('a graph that saves %s is refused for lack of an output', (_, saving) => {
  const { '9': _image, ...rest } = sampled();
  const from = importWorkflow(graphOf({ ...rest, ...saving }), {
    ...infos,
    SaveAnimatedWEBP: { ...infos.SaveImage!, output_node: true },
  });
  expect(from.outputs).toEqual([]);
  expect(buildFiles(from, { id: 'mine', name: 'Mine' }).issues.workflow).toEqual([
    { path: '/graph', message: expect.stringContaining('has no node that saves an image') },
  ]);
});

test('choices that the catalog would refuse are reported by path', () => {
  const { issues } = buildFiles(found(sampled()), { id: 'Not An Id', name: 'Mine' });
  expect(issues.architecture).toEqual([{ path: '/id', message: expect.stringContaining('lowercase') }]);
});

test('an empty price or price factor is reported by path', () => {
  const latent = { width: 768, height: 512, length: 97, batch_size: 1 };
  const from = found(sampled({ '5': ['EmptyLTXVLatentVideo', latent] }));
  const sizes = { small: 300, usual: 627 };
  const price = { gems: null, factors: { resolution: { small: null, usual: null } } } as never;
  const { issues } = buildFiles(from, { id: 'mine', name: 'Mine', sizes, price });
  const places = issues.architecture.map(({ path }) => path);
  expect(places).toContain('/price/gems');
  expect(places).toContainEqual(expect.stringMatching(/^\/price\/factors\/resolution\/(small|usual)$/));
});
