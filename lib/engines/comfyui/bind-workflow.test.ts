import { expect, test } from 'vitest';
import { bindWorkflow, chooseWorkflow, graphOf, rolesNeeded } from '#lib/engines/comfyui/bind-workflow';
import { Workflow } from '#lib/engines/comfyui/workflow';
import type { EngineJob, JobInput } from '#lib/engines/engine';

const image = (name: string): JobInput => ({ role: 'reference', path: `/tmp/${name}`, contentType: 'image/png' });
const job = (changes: Partial<EngineJob> = {}): EngineJob => ({
  requestId: 'r',
  claim: 1,
  attempt: 1,
  architecture: 'a',
  modelId: 'm',
  prompt: 'a house',
  seed: 5,
  config: { steps: '12', strength: 2, shout: 7 },
  output: { type: 'image', width: 64, height: 48, duration: 0, fps: 0, sound: false, sampleRate: 0 },
  inputs: [],
  ...changes,
});
const bind = (workflow: Workflow, changes?: Partial<EngineJob>) =>
  bindWorkflow(workflow, job(changes), ({ path }) => path.replace('/tmp/', 'pomona/'), 'pomona/r-1');

const graph = {
  a: { class_type: 'LoadImage', inputs: { image: 'example.png' }, _meta: { title: 'first' } },
  b: { class_type: 'LoadImage', inputs: { image: 'example.png' }, _meta: { title: 'second' } },
  c: { class_type: 'Mix', inputs: { one: ['a', 0], two: ['b', 0], steps: 4, label: 'x', on: true, text: 'nothing' } },
  d: { class_type: 'SaveImage', inputs: { images: ['c', 0], filename_prefix: 'ComfyUI' } },
};
const mix = (input: string) => [{ class: 'Mix', input }];
const images = ['first', 'second'].map(title => ({ class: 'LoadImage', title, input: 'image' }));
const workflow = (bindings: object[], more: object = {}) =>
  Workflow.parse({ architecture: 'a', models: ['m'], graph, bindings, ...more });

test('values are converted to the types in the graph, and the workflow itself is not changed', () => {
  const one = workflow([
    { to: mix('steps'), set: { from: 'config.steps' } },
    { to: mix('label'), set: { from: 'config.shout' } },
    { to: mix('text'), set: { from: 'config.unknown' } },
    { to: mix('on'), set: { value: false } },
  ]);
  const { c, d } = bind(one);
  expect(c!.inputs).toMatchObject({ steps: 12, label: '7', text: 'nothing', on: false });
  expect(d!.inputs.filename_prefix).toBe('pomona/r-1');
  expect(one.graph).toEqual(graph);
});

test('several files fill one place each, and optional places without a file are removed', () => {
  const both = workflow([
    { to: images.map(place => ({ ...place, optional: true })), set: { from: 'input.reference', list: true } },
  ]);
  expect(bind(both, { inputs: [image('x'), image('y')] }).b!.inputs).toEqual({ image: 'pomona/y' });
  const one = bind(both, { inputs: [image('x')] });
  expect(one.a!.inputs).toEqual({ image: 'pomona/x' });
  expect(one.b).toBeUndefined();
  expect(one.c!.inputs).not.toHaveProperty('two');
  expect(Object.keys(bind(both))).toEqual(['c', 'd']);
});

test('the workflow is chosen by the model and by the inputs of a job', () => {
  const none = workflow([]);
  const needs = workflow([{ to: [images[0]!], set: { from: 'input.reference' } }]);
  const other = workflow([], { models: ['n'] });
  const all = [other, needs, none];
  expect(chooseWorkflow(all, job()).workflow).toBe(none);
  expect(chooseWorkflow(all, job({ inputs: [image('x')] })).workflow).toBe(needs);
  expect(chooseWorkflow(all, job({ modelId: 'n' })).workflow).toBe(other);
  expect(() => chooseWorkflow(all, job({ inputs: [image('x'), image('y')] }))).toThrow(
    'no workflow of a takes reference, reference',
  );
  expect(() => chooseWorkflow([needs], job())).toThrow('no workflow of a takes no media');
  expect(() => chooseWorkflow(all, job({ modelId: 'o' }))).toThrow('no workflow serves a with o');
  expect(() => chooseWorkflow(all, job({ architecture: 'b' }))).toThrow('no workflow serves b with m');
});

test('spare inputs that no workflow has places for are left out, the last first', () => {
  const places = {
    to: images.map(place => ({ ...place, optional: true })),
    set: { from: 'input.reference', list: true },
  };
  const two = workflow([places]);
  const spare = (name: string) => ({ ...image(name), spare: true as const });
  const inputs = [image('ana'), spare('ana-2'), spare('ana-3'), image('bo'), spare('bo-2')];
  const chosen = chooseWorkflow([two], job({ inputs }));
  expect(chosen.inputs.map(({ path }) => path)).toEqual(['/tmp/ana', '/tmp/bo']);
  expect(chooseWorkflow([two], job({ inputs: inputs.slice(0, 3) })).inputs).toEqual(inputs.slice(0, 2));
  const three = [image('ana'), image('bo'), image('cy'), spare('cy-2')];
  expect(() => chooseWorkflow([two], job({ inputs: three }))).toThrow('no workflow of a takes reference');
});

test('a list needs files for its required places only, and a single input fills all its places', () => {
  const set = { from: 'input.reference', list: true };
  const list = workflow([{ to: images.map((place, nth) => ({ ...place, ...(nth && { optional: true }) })), set }]);
  const single = workflow([{ to: images, set: { from: 'input.reference' } }]);
  const choose = (...inputs: JobInput[]) => chooseWorkflow([single, list], job({ inputs })).workflow;
  expect(choose(image('x'))).toBe(single);
  expect(choose(image('x'), image('y'))).toBe(list);
  expect(() => choose()).toThrow('takes no media');
  expect(chooseWorkflow([list], job({ inputs: [image('x')] })).workflow).toBe(list);
  expect(bind(single, { inputs: [image('x')] }).b!.inputs.image).toBe('pomona/x');
});

test('the required inputs of a model are those of the workflow that needs the fewest', () => {
  const needing = (...to: object[]) => workflow([{ to, set: { from: 'input.reference', list: true } }]);
  const [two, one] = [needing(...images), needing(images[0]!, { ...images[1]!, optional: true })];
  expect(rolesNeeded([two, one], 'a', 'm')).toEqual(['reference']);
  expect(rolesNeeded([two, { ...one, architecture: 'b' }], 'a', 'm')).toEqual(['reference', 'reference']);
  expect(rolesNeeded([two], 'a', 'n')).toEqual([]);
});

test('values that are the same for every job of a model are set in its graph', () => {
  const one = workflow(
    [
      { to: mix('steps'), set: { value: 9 } },
      { to: mix('text'), set: { from: 'prompt' } },
      { to: mix('label'), set: { value: 'y' }, models: ['n'] },
    ],
    { models: ['m', 'n'] },
  );
  expect(graphOf(one, 'm').c!.inputs).toEqual({ ...graph.c.inputs, steps: 9 });
  expect(one.graph).toEqual(graph);
});

test('a binding to a missing node fails the job without a retry', () => {
  const bound = () => bind(workflow([{ to: [{ class: 'Gone', input: 'x' }], set: { value: 1 } }]));
  expect(bound).toThrow(expect.objectContaining({ code: 'engine_error', retryable: false }));
});

test('prompt weights are kept or escaped as the named field says', () => {
  const one = workflow([{ to: mix('text'), set: { from: 'prompt' }, weights: 'weighting' }]);
  const prompt = String.raw`(a) \(b\) c:1.2`;
  for (const config of [{ weighting: true }, {}]) expect(bind(one, { prompt, config }).c!.inputs.text).toBe(prompt);
  const bound = bind(one, { prompt, config: { weighting: false } }).c!.inputs.text;
  expect(bound).toBe(String.raw`\(a\) \\(b\\) c:1.2`);
  // parses like ComfyUI: escapes become marks, remaining parentheses set weights, then marks become parentheses
  const marked = String(bound).replaceAll('\\)', '\0\x01').replaceAll('\\(', '\0\x02');
  expect(marked).not.toMatch(/[()]/);
  expect(marked.replaceAll('\0\x01', ')').replaceAll('\0\x02', '(')).toBe(prompt);
});
