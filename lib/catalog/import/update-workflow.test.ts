import { expect, test } from 'vitest';
import { nodeInfos } from '#lib/engines/comfyui/comfyui-test-graph';
import { addFields } from '#lib/catalog/import/add-fields';
import { buildFiles } from '#lib/catalog/import/build-files';
import { importWorkflow } from '#lib/catalog/import/import-workflow';
import { updateWorkflow } from '#lib/catalog/import/update-workflow';
import type { Graph } from '#lib/engines/comfyui/workflow';

const infos = nodeInfos(['a.safetensors']);
const GRAPH: Graph = {
  '1': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' } },
  '2': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox', clip: ['1', 1] } },
  '3': { class_type: 'CLIPTextEncode', inputs: { text: 'ugly', clip: ['1', 1] } },
  '4': { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } },
  '5': {
    class_type: 'KSampler',
    inputs: {
      seed: 1,
      steps: 20,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['1', 0],
      positive: ['2', 0],
      negative: ['3', 0],
      latent_image: ['4', 0],
    },
  },
  '6': { class_type: 'VAEDecode', inputs: { samples: ['5', 0], vae: ['1', 2] } },
  '7': { class_type: 'SaveImage', inputs: { images: ['6', 0], filename_prefix: 'x' } },
};
const price = { gems: 33 };
const field = { title: 'Strength of change', minimum: 0.1 };
const { architecture, workflow } = buildFiles(importWorkflow(GRAPH, infos), {
  id: 'mine',
  name: 'Mine',
  price,
  fields: { denoise: { name: 'strength', field } },
});

function update(change: (graph: Graph) => void) {
  const graph = structuredClone(GRAPH);
  change(graph);
  return updateWorkflow(architecture, workflow, importWorkflow(graph, infos));
}

const whatOf = (changes: ReturnType<typeof update>['changes']) =>
  Object.fromEntries(changes.map(({ from, what }) => [from, what]));

test('renumbering nodes changes no fields, titles, limits or prices', () => {
  const renumbered = Object.fromEntries(
    Object.entries(
      JSON.parse(JSON.stringify(GRAPH).replaceAll(/"(\d)"/g, (_, n) => `"${90 - Number(n) * 7}"`)) as Graph,
    ).toReversed(),
  );
  const next = updateWorkflow(architecture, workflow, importWorkflow(renumbered, infos));
  expect(next.issues).toEqual({ architecture: [], workflow: [] });
  expect(next.architecture).toEqual(architecture);
  expect(next.architecture).toMatchObject({ price, fields: { strength: field } });
  expect(next.workflow).toEqual({ ...workflow, graph: renumbered });
  expect(new Set(next.changes.map(({ what }) => what))).toEqual(new Set(['kept']));
  expect(next.added.map(({ name }) => name)).not.toContain('num_inference_steps');
});

test('a changed value is reported, and the default of its field stays', () => {
  const next = update(graph => (graph['5']!.inputs.steps = 30));
  expect(next.changes).toContainEqual({ from: 'config.num_inference_steps', what: 'value', was: 20, now: 30 });
  expect(next.architecture.fields).toMatchObject({ num_inference_steps: { default: 20 } });
});

test('a binding moves to the node that now provides its value', () => {
  const next = update(graph => {
    graph['8'] = { class_type: 'PrimitiveStringMultiline', inputs: { value: 'a fox' } };
    graph['2']!.inputs.text = ['8', 0];
  });
  expect(next.changes).toContainEqual({ from: 'prompt', what: 'moved', was: 'a fox', now: 'a fox' });
  expect(next.workflow.bindings.find(({ set }) => 'from' in set && set.from === 'prompt')).toMatchObject({
    to: [{ class: 'PrimitiveStringMultiline', input: 'value' }],
    set: { from: 'prompt' },
  });
  expect(next.issues).toEqual({ architecture: [], workflow: [] });
});

test('a field whose node was removed stays without effect and is reported, and new values are offered', () => {
  const next = update(graph => {
    graph['2']!.inputs.clip = ['9', 1];
    graph['9'] = {
      class_type: 'LoraLoader',
      inputs: { model: ['1', 0], clip: ['1', 1], lora_name: 'x.safetensors', strength_model: 1, strength_clip: 1 },
    };
    graph['10'] = { class_type: 'ConditioningZeroOut', inputs: { conditioning: ['2', 0] } };
    graph['5']!.inputs.negative = ['10', 0];
    delete graph['3'];
  });
  expect(whatOf(next.changes)).toMatchObject({ prompt: 'kept', seed: 'kept', 'config.strength': 'kept' });
  expect(next.added.map(({ name }) => name)).toEqual(expect.arrayContaining(['lora_name', 'strength_model']));
  expect(next.missing.files).toEqual(['x.safetensors']);
  expect(whatOf(next.changes)['config.negative_prompt']).toBe('gone');
  expect(next.workflow.ignores).toContain('negative_prompt');
  expect(next.issues).toEqual({ architecture: [], workflow: [] });
});

test('when one of two similar nodes is removed, the other keeps its field by its title', () => {
  const alike = (value: number, title: string) => ({
    class_type: 'PrimitiveFloat',
    inputs: { value },
    _meta: { title },
  });
  const both: Graph = { ...GRAPH, '8': alike(0.5, '@glow'), '9': alike(0.2, '@grain') };
  const before = buildFiles(importWorkflow(both, infos), { id: 'mine', name: 'Mine' });
  const { '8': _, ...left } = both;
  const next = updateWorkflow(before.architecture, before.workflow, importWorkflow(left, infos));
  expect(whatOf(next.changes)).toMatchObject({ 'config.glow': 'gone', 'config.grain': 'kept' });
});

test('another saving node becomes the output when the previous one was removed', () => {
  const next = update(graph => (graph['7'] = { class_type: 'PreviewImage', inputs: { images: ['6', 0] } }));
  expect(next.workflow.output).toEqual({ class: 'PreviewImage' });
});

test('the prompt keeps its node when the graph links that node to the negative input too', () => {
  const { changes, issues, workflow } = update(graph => {
    graph['5']!.inputs.negative = ['2', 0];
    delete graph['3'];
  });
  expect(issues).toEqual({ architecture: [], workflow: [] });
  expect(whatOf(changes)).toMatchObject({ prompt: 'kept', 'config.negative_prompt': 'gone' });
  expect(workflow.ignores).toContain('negative_prompt');
});

test('an image input removed from the graph is no longer required or accepted, and an added one is required', () => {
  const load = { class_type: 'LoadImage', inputs: { image: 'base.png' } };
  const encode = { class_type: 'VAEEncode', inputs: { pixels: ['8', 0], vae: ['1', 2] } };
  const edit: Graph = structuredClone({ ...GRAPH, '4': encode, '8': load });
  const before = buildFiles(importWorkflow(edit, infos), { id: 'mine', name: 'Mine' });
  expect(before.architecture.needs).toEqual({ reference: 1 });
  const found = importWorkflow(GRAPH, infos);
  const next = updateWorkflow(before.architecture, before.workflow, found);
  expect(whatOf(next.changes)).toMatchObject({ 'input.reference': 'gone' });
  for (const name of ['needs', 'max_images', 'fields.image']) expect(next.architecture).not.toHaveProperty(name);
  expect(next.issues).toEqual({ architecture: [], workflow: [] });
  const more = addFields(
    update(graph => Object.assign(graph, structuredClone({ '4': encode, '8': load }))),
    importWorkflow(edit, infos).proposals,
    {
      image: {},
    },
  );
  expect(more).toMatchObject({ issues: { architecture: [], workflow: [] }, architecture: { needs: { reference: 1 } } });
});

const titled = (text: string, title: string) => ({
  class_type: 'CLIPTextEncode',
  inputs: { text, clip: ['1', 1] },
  _meta: { title },
});

test('prompt and seed are also bound to new nodes of the same meaning, which is reported', () => {
  const one: Graph = { ...structuredClone(GRAPH), '2': titled('a fox', 'Prompt') };
  const two = structuredClone(one);
  two['12'] = titled('the same fox, finer', 'Refine prompt');
  two['15'] = structuredClone(two['5']!);
  Object.assign(two['15'].inputs, { seed: 77, positive: ['12', 0], latent_image: ['5', 0] });
  two['6']!.inputs.samples = ['15', 0];
  const before = buildFiles(importWorkflow(one, infos), { id: 'mine', name: 'Mine' });
  const next = updateWorkflow(before.architecture, before.workflow, importWorkflow(two, infos));
  expect(next.issues).toEqual({ architecture: [], workflow: [] });
  expect(whatOf(next.changes)).toMatchObject({ prompt: 'more', seed: 'moved' });
  const placesOf = (from: string) =>
    next.workflow.bindings.find(({ set }) => 'from' in set && set.from === from)?.to.length;
  expect([placesOf('prompt'), placesOf('seed')]).toEqual([2, 2]);
});

/** Returns the graph with `count` images, of which all but the first are optional. */
function withImages(count: number): Graph {
  const graph = structuredClone(GRAPH);
  const load = (at: number) => ({
    class_type: 'LoadImage',
    inputs: { image: `${at}.png` },
    _meta: { title: 'Load Image' },
  });
  graph['8'] = load(0);
  graph['4'] = { class_type: 'VAEEncode', inputs: { pixels: ['8', 0], vae: ['1', 2] } };
  for (let at = 1; at < count; at++) {
    graph[`${20 + at}`] = load(at);
    graph[`${30 + at}`] = { class_type: 'VAEEncode', inputs: { pixels: [`${20 + at}`, 0], vae: ['1', 2] } };
    graph[`${40 + at}`] = {
      class_type: 'ReferenceLatent',
      inputs: { conditioning: at > 1 ? [`${39 + at}`, 0] : ['2', 0], latent: [`${30 + at}`, 0] },
    };
    graph['5']!.inputs.positive = [`${40 + at}`, 0];
  }
  return graph;
}

test.each([
  [1, 2],
  [2, 1],
  [3, 2],
  [2, 3],
])('when %i image inputs of the graph become %i, the image limit follows', (from, to) => {
  const before = buildFiles(importWorkflow(withImages(from), infos), { id: 'mine', name: 'Mine' });
  expect(before.architecture.max_images).toBe(from);
  const next = updateWorkflow(before.architecture, before.workflow, importWorkflow(withImages(to), infos));
  expect(next.issues).toEqual({ architecture: [], workflow: [] });
  expect(next.architecture.max_images).toBe(to);
  expect('additional_images' in next.architecture.fields).toBe(to > 1);
  const images = next.workflow.bindings.find(({ set }) => 'from' in set && set.from === 'input.reference');
  expect(images?.to).toHaveLength(to);
  if (to > 1) expect(images?.set).toMatchObject({ list: true });
});

test('other mentions set by the operator stay when audio references are added or removed', () => {
  const mentions = { characters: 'all', references: 'all' } as const;
  const mine = { ...architecture, mentions };
  const audio: Graph = {
    ...structuredClone(GRAPH),
    '8': { class_type: 'LoadAudio', inputs: { audio: 'voice.wav' }, _meta: { title: '@audio' } },
    '9': { class_type: 'AudioEncoderEncode', inputs: { audio: ['8', 0] } },
  };
  const found = importWorkflow(audio, infos);
  const more = addFields({ architecture: mine, workflow: { ...workflow, graph: audio } }, found.proposals, {
    audio: {},
  });
  expect(more.architecture.mentions).toEqual({ ...mentions, audio_references: 'all', max_audio_references: 1 });
  const less = updateWorkflow(more.architecture, more.workflow, importWorkflow(GRAPH, infos));
  expect(whatOf(less.changes)).toMatchObject({ 'input.audio_reference': 'gone' });
  expect(less.architecture.mentions).toEqual(mentions);
});

test('a field stays with its node when another node gets its name, and unbound values stay unbound', () => {
  const lora = (after: string, title: string) => ({
    class_type: 'LoraLoader',
    inputs: { model: [after, 0], clip: [after, 1], lora_name: 'x.safetensors', strength_model: 1, strength_clip: 1 },
    _meta: { title },
  });
  const one: Graph = { ...structuredClone(GRAPH), '9': lora('1', 'Style') };
  one['5']!.inputs.model = ['9', 0];
  const fields = { strength_model: {} };
  const before = buildFiles(importWorkflow(one, infos), { id: 'mine', name: 'Mine', fields });
  const from = 'config.strength_model';
  const placesOf = (bindings: typeof before.workflow.bindings, of = from) =>
    bindings.find(({ set }) => 'from' in set && set.from === of)!.to;
  const two: Graph = { ...structuredClone(one), '8': lora('1', 'Detail') };
  Object.assign(two['9']!.inputs, { model: ['8', 0], clip: ['8', 1] });
  const next = updateWorkflow(before.architecture, before.workflow, importWorkflow(two, infos));
  expect(whatOf(next.changes)[from]).not.toBe('more');
  expect(placesOf(next.workflow.bindings)).toEqual(placesOf(before.workflow.bindings));

  const both: Graph = { ...structuredClone(GRAPH), '2': titled('a fox', 'Prompt'), '12': titled('finer', 'Refine') };
  both['15'] = structuredClone(both['5']!);
  Object.assign(both['15'].inputs, { positive: ['12', 0], latent_image: ['5', 0] });
  both['6']!.inputs.samples = ['15', 0];
  const found = importWorkflow(both, infos);
  const whole = buildFiles(found, { id: 'mine', name: 'Mine' });
  const bindings = whole.workflow.bindings.map(binding =>
    'from' in binding.set && binding.set.from === 'prompt' ? { ...binding, to: binding.to.slice(0, 1) } : binding,
  );
  const again = updateWorkflow(whole.architecture, { ...whole.workflow, bindings }, found);
  expect(placesOf(again.workflow.bindings, 'prompt')).toHaveLength(1);
});

test('the image limit stays when another workflow of the architecture still uses it', () => {
  const before = buildFiles(importWorkflow(withImages(2), infos), { id: 'mine', name: 'Mine' });
  const found = importWorkflow(withImages(1), infos);
  const next = updateWorkflow(before.architecture, before.workflow, found, [before.workflow]);
  expect(next.architecture).toMatchObject({ max_images: 2, fields: { additional_images: {} } });
});
