import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findNode, inOrder, placeOf } from '#lib/engines/comfyui/find-node';
import { linkOf, type Graph, type Workflow } from '#lib/engines/comfyui/workflow';

const FOLDER = 'catalog/workflows';
const graphs = readdirSync(FOLDER).map((name): [string, Graph] => [
  name,
  (JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow).graph,
]);

const save = (class_type: string, filename_prefix?: string, title?: string) => ({
  class_type,
  inputs: { ...(filename_prefix && { filename_prefix }) },
  ...(title && { _meta: { title } }),
});
/** Chains of nodes that differ only in their end nodes. */
const alike: Graph = Object.fromEntries(
  [save('Save', 'a'), save('Save', 'b'), save('Save', 'a', 'kept'), save('Show', 'a')].flatMap((end, nth) => [
    [`${nth}1`, { class_type: 'Text', inputs: { text: '' } }],
    [`${nth}2`, { class_type: 'Sampler', inputs: { positive: [`${nth}1`, 0] } }],
    [`${nth}3`, { ...end, inputs: { ...end.inputs, images: [`${nth}2`, 0] } }],
  ]),
);

/** Renumbers and reorders a graph, as another editor session could. */
function renumbered(graph: Graph): { graph: Graph; idOf: (id: string) => string } {
  const ids = Object.keys(graph);
  const idOf = (id: string) => String(ids.length * 3 - ids.indexOf(id) * 2);
  const nodes = ids.map((id): [string, Graph[string]] => {
    const inputs = Object.entries(graph[id]!.inputs).map(([name, value]) => {
      const link = linkOf(value);
      return [name, link ? [idOf(link[0]), link[1]] : value] as const;
    });
    return [idOf(id), { ...graph[id]!, inputs: Object.fromEntries(inputs) }];
  });
  return { graph: Object.fromEntries(nodes.toReversed()), idOf };
}

test.each([...graphs, ['alike', alike] as const])('%s: every node is found again after renumbering', (_, graph) => {
  const moved = renumbered(graph);
  for (const id of Object.keys(graph)) {
    const place = placeOf(graph, id);
    expect(findNode(graph, place)).toEqual({ id });
    expect(findNode(moved.graph, place), JSON.stringify(place)).toEqual({ id: moved.idOf(id) });
  }
  expect(inOrder(moved.graph)).toEqual(inOrder(graph).map(moved.idOf));
});

const encode = (title?: string) => ({ class_type: 'Text', inputs: { text: '' }, ...(title && { _meta: { title } }) });
const graph: Graph = {
  '1': encode(' @prompt '),
  '2': encode('Text'),
  '3': encode('Text'),
  '4': { class_type: 'Sampler', inputs: { positive: ['1', 0], negative: ['2', 0], extra: ['3', 0], more: ['2', 1] } },
};

test('a node is identified by its title, else by where its output goes, else by its number', () => {
  expect(placeOf(graph, '1')).toEqual({ class: 'Text', title: '@prompt' });
  expect(placeOf(graph, '2')).toEqual({ class: 'Text', feeds: 'Sampler.negative' });
  expect(placeOf(graph, '4')).toEqual({ class: 'Sampler' });
  expect(findNode(graph, { class: 'Text', nth: 2 })).toEqual({ id: '3' });
  const twins: Graph = { a: encode(), b: encode() };
  expect(Object.keys(twins).map(id => findNode(twins, placeOf(twins, id)).id)).toEqual(['a', 'b']);
});

test('an outdated title or number does not hide the only node that matches otherwise', () => {
  expect(findNode(graph, { class: 'Sampler', nth: 1 })).toEqual({ id: '4' });
  expect(findNode(graph, { class: 'Sampler', title: 'My sampler' })).toEqual({ id: '4' });
  expect(findNode(graph, { class: 'Text', title: 'gone', feeds: 'Sampler.positive' })).toEqual({ id: '1' });
});

test('a description that matches no node or several nodes is reported as a problem', () => {
  expect(findNode(graph, { class: 'Nobody' }).problem).toBe('there is no node of the class Nobody');
  expect(findNode(graph, { class: 'Text' }).problem).toBe('3 nodes are Text; give title, feeds or nth');
  expect(findNode(graph, { class: 'Text', nth: 9 }).problem).toBe('there is no Text number 9');
});

test('circular links do not cause an endless loop', () => {
  const circle: Graph = {
    a: { class_type: 'A', inputs: { x: ['b', 0] } },
    b: { class_type: 'B', inputs: { x: ['a', 0] } },
  };
  expect(inOrder(circle)).toEqual([]);
  expect(findNode(circle, { class: 'A' })).toEqual({ id: 'a' });
});

test.each<[unknown, ReturnType<typeof linkOf>]>([
  [
    ['1', 0],
    ['1', 0],
  ],
  [
    [1, 2],
    ['1', 2],
  ],
  [['1', '0'], null],
  [[true, 0], null],
  [['1', 0, 0], null],
  ['1', null],
])('%j is read as the link %j', (value, link) => {
  expect(linkOf(value)).toEqual(link);
});

test('a link to a missing node is ignored', () => {
  expect(inOrder({ a: { class_type: 'A', inputs: { x: ['gone', 0] } } })).toEqual(['a']);
});
