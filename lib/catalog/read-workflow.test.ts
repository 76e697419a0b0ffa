import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadCatalog } from '#lib/catalog/catalog';
import { readWorkflow } from '#lib/catalog/read-workflow';
import type { Workflow } from '#lib/engines/comfyui/workflow';

const { find } = loadCatalog('catalog');
const read = (name: string) => JSON.parse(readFileSync(`catalog/workflows/${name}.json`, 'utf8')) as Workflow;

test.each<[string, (workflow: Workflow) => void, string, string]>([
  ['an unknown architecture', one => (one.architecture = 'nobody'), '/architecture', 'there is no architecture nobody'],
  ['a model that the architecture lacks', one => one.models.push('x'), '/models', 'there is no model x'],
  [
    'a binding for a model that it does not serve',
    one => (one.bindings[0]!.models = ['y']),
    '/bindings/0/models',
    'there is no model y',
  ],
  [
    'a class that is gone',
    one => (one.bindings[1]!.to[0]!.class = 'Gone'),
    '/bindings/1/to/0',
    'there is no node of the class Gone',
  ],
  [
    'a place that two nodes fit',
    one => delete one.bindings[0]!.to[0]!.feeds,
    '/bindings/0/to/0',
    '2 nodes are CLIPTextEncode; give title, feeds or nth',
  ],
  [
    'an input that is not there',
    one => (one.bindings[1]!.to[0]!.input = 'speed'),
    '/bindings/1/to/0',
    'KSampler has no input speed',
  ],
  [
    'a link',
    one => (one.bindings[1]!.to[0]!.input = 'model'),
    '/bindings/1/to/0',
    'model is linked to another node, which decides its value',
  ],
  [
    'a place that is bound twice',
    one => one.bindings.push(one.bindings[1]!),
    '/bindings/7/to/0',
    'KSampler.seed is bound twice',
  ],
  [
    'a binding to nothing',
    one => (one.bindings[1]!.to = []),
    '/bindings/1/to',
    'Too small: expected array to have >=1 items',
  ],
  [
    'a field that the architecture lacks',
    one => (one.bindings[4]!.set = { from: 'config.speed' }),
    '/bindings/4/set/from',
    'hidream has no field speed',
  ],
  [
    'a field that does nothing',
    one => one.bindings.splice(6, 1),
    '/bindings',
    'the field negative_prompt does nothing; bind it, or name it in ignores',
  ],
  [
    'sizes that do nothing',
    one => one.bindings.splice(2, 2),
    '/bindings',
    'the field aspect_ratio does nothing; bind it, or name it in ignores',
  ],
  [
    'an output that is not there',
    one => (one.output = { class: 'SaveVideo' }),
    '/output',
    'there is no node of the class SaveVideo',
  ],
])('%s is refused and reported by path', (_, change, path, message) => {
  const workflow = read('hidream');
  expect(readWorkflow(structuredClone(workflow), find).issues).toEqual([]);
  change(workflow);
  expect(readWorkflow(workflow, find)).toMatchObject({ workflow: null });
  expect(readWorkflow(workflow, find).issues).toContainEqual({ path, message });
});

test('one input may be bound once for each model', () => {
  expect(readWorkflow(read('ltx_video'), find).issues).toEqual([]);
});

test.each([
  null,
  [],
  {},
  { nodes: [], links: [] },
  { architecture: 'hidream', models: ['hidream-fast'], graph: {}, bindings: [] },
])('JSON of another shape is refused: %j', json => {
  const { workflow, issues } = readWorkflow(json, find);
  expect(workflow).toBeNull();
  expect(issues.length).toBeGreaterThan(0);
});
