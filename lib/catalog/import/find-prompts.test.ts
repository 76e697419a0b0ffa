import { expect, test } from 'vitest';
import { findPrompts } from '#lib/catalog/import/find-prompts';
import { NodeInfos } from '#lib/engines/comfyui/node-info';

const info = (output: string[], required: object = {}) => ({ input: { required }, output });
const infos = NodeInfos.parse({
  Encode: info(['CONDITIONING'], { text: ['STRING', { multiline: true }] }),
  Poet: info(['CONDITIONING'], {
    poem: ['STRING', { multiline: true }],
    negative_poem: ['STRING', { multiline: true }],
  }),
  Guide: info(['CONDITIONING']),
  Steer: info(['CONDITIONING', 'CONDITIONING']),
  Join: info(['STRING']),
  Load: info(['MODEL']),
});

/** Returns the prompt keys of a graph whose nodes are given as `[class, inputs]`. */
function prompts(nodes: Record<string, [string, Record<string, unknown>]>) {
  const graph = Object.entries(nodes).map(([id, [class_type, inputs]]) => [id, { class_type, inputs }]);
  const { positive, negative } = findPrompts(Object.fromEntries(graph), infos);
  return [[...positive], [...negative]];
}
const sampler = (positive: [string, number], negative = positive): [string, Record<string, unknown>] => [
  'Sampler',
  { positive, negative },
];
const words: [string, Record<string, unknown>] = ['Encode', { text: 'x' }];

test.each<[string, Parameters<typeof prompts>[0], positive: string[], negative?: string[]]>([
  ['those of a sampler', { a: words, b: words, s: sampler(['a', 0], ['b', 0]) }, ['a text'], ['b text']],
  ['that of a guider', { a: words, s: ['Guider', { conditioning: ['a', 0], model: ['m', 0] }] }, ['a text']],
  ['none of what only hands it on', { a: words, s: ['Guide', { conditioning: ['a', 0] }] }, []],
  [
    'each side of a node that hands both through',
    { a: words, b: words, t: ['Steer', { positive: ['a', 0], negative: ['b', 0] }], s: sampler(['t', 0], ['t', 1]) },
    ['a text'],
    ['b text'],
  ],
  [
    'a long text of any name, without what it is not to be',
    { a: ['Poet', { poem: 'x', negative_poem: 'y' }], s: sampler(['a', 0]) },
    ['a poem'],
    ['a poem'],
  ],
  [
    'one that other nodes make',
    {
      a: ['Join', { string: 'x' }],
      b: ['Stranger', { value: 'x' }],
      c: ['Encode', { text: ['d', 0] }],
      d: ['Join', { string_a: ['a', 0], string_b: ['b', 0] }],
      s: sampler(['c', 0]),
    },
    ['a string', 'b value'],
    ['a string', 'b value'],
  ],
  [
    'nothing of models',
    {
      m: ['Load', { text: 'x' }],
      g: ['Guide', { conditioning: ['a', 0], model: ['m', 0] }],
      a: words,
      s: sampler(['g', 0]),
    },
    ['a text'],
    ['a text'],
  ],
  [
    'the text, and nothing of what it is beside',
    { a: words, b: ['Encode', { text: 'y', before: ['a', 0] }], s: sampler(['b', 0]) },
    ['b text'],
    ['b text'],
  ],
  [
    'what there is, where links go in a circle',
    { a: ['Guide', { x: ['b', 0], y: ['c', 0] }], b: ['Guide', { x: ['a', 0] }], c: words, s: sampler(['a', 0]) },
    ['c text'],
    ['c text'],
  ],
])('the prompts of a graph are %s', (_, nodes, positive, negative = []) => {
  expect(prompts(nodes)).toEqual([positive, negative]);
});
