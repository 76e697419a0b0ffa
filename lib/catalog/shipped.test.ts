import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultsOf } from '#lib/catalog/architecture';
import { loadCatalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { outputOf } from '#lib/catalog/output-of';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { bindWorkflow, chooseWorkflow } from '#lib/engines/comfyui/bind-workflow';
import { linkOf, type Graph } from '#lib/engines/comfyui/workflow';
import { loadWorkflows } from '#lib/engines/comfyui/workflows';
import type { JobInput } from '#lib/engines/engine';

// The published facts about the models, recorded a second time, so that a typo in a catalog file is noticed.

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'shipped-test-data.json'), 'utf8')) as {
  architectures: Record<string, object>;
  graphs: Record<string, string[]>;
};
const folder = join(import.meta.dirname, '../../catalog');
const shipped = loadCatalog(folder).all();
const workflows = loadWorkflows(folder).list;

const joined = (lists: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(lists).map(([name, tokens]) => [name, tokens.join(' ')]));

function factsOf(architecture: Architecture) {
  const entry = toCatalogEntry(architecture, '');
  const byModel = Object.entries(entry.options_by_model).map(([model, lists]) => [model, joined(lists)]);
  const { seed: _seed, ...others } = architecture.fields;
  const ranges = Object.entries(others).flatMap(([name, { minimum, maximum, multipleOf }]) =>
    minimum === undefined ? [] : [[name, [minimum, maximum, ...(multipleOf ? ['whole'] : [])].join(' ')]],
  );
  const media = Object.entries(architecture.fields).filter(([, { media }]) => media);
  const { max_audio_references, character_voices, ...mentions } = entry.mentions;
  return {
    gems: entry.gems,
    defaults: entry.base_config,
    options: joined(entry.options),
    by_model: Object.fromEntries(byModel),
    media: media.map(([name, { role, maxItems }]) => [name, role, maxItems].filter(Boolean).join(' ')),
    images: entry.max_images,
    images_by_model: entry.max_images_by_model,
    mentions: { ...joined(mentions), max_audio_references, character_voices },
    exclusive: entry.exclusive,
    source_video: entry.source_video,
    longest_prompt: architecture.fields.prompt?.maxLength,
    ranges: Object.fromEntries(ranges),
    output: architecture.output,
    price: architecture.price,
  };
}

test('the recorded facts cover every shipped architecture', () => {
  expect(shipped.map(({ id }) => id)).toEqual(Object.keys(facts.architectures));
});

test.each(shipped.map(one => [one.id, one] as const))(
  '%s matches the recorded facts about the model',
  (id, architecture) => {
    expect(factsOf(architecture)).toEqual(facts.architectures[id]);
  },
);

/** Returns a graph without node ids, from the saving node on: a line for each node, named by its class. */
function linesOf(graph: Graph): string[] {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const visit = (id: string): string => {
    const known = names.get(id);
    if (known) return known;
    const { class_type, inputs } = graph[id]!;
    const same = [...names.values()].filter(name => name.split(' ')[0] === class_type).length;
    const name = same ? `${class_type} ${same + 1}` : class_type;
    names.set(id, name);
    const at = lines.push('') - 1;
    const values = Object.keys(inputs).toSorted();
    const said = values.map(input => {
      const link = linkOf(inputs[input]);
      return `${input}=${link ? `<${visit(link[0])}>${link[1]}` : JSON.stringify(inputs[input])}`;
    });
    lines[at] = `${name}: ${said.join(' ')}`;
    return name;
  };
  const last = Object.keys(graph).find(id => graph[id]!.class_type.startsWith('Save'))!;
  visit(last);
  expect(names.size).toBe(Object.keys(graph).length);
  return lines;
}

const frame: JobInput = { role: 'first_frame', path: '/x.png', contentType: 'image/png' };
const graphs = workflows.flatMap(({ architecture, models, bindings }) =>
  models.map(model => {
    const isFilm = bindings.some(({ set }) => 'from' in set && set.from === 'input.first_frame');
    return [[architecture, model, ...(isFilm ? ['first_frame'] : [])].join(' '), architecture, model, isFilm] as const;
  }),
);

test('the recorded graphs cover every shipped workflow', () => {
  expect(graphs.map(([name]) => name)).toEqual(Object.keys(facts.graphs));
});

test.each(graphs)('the graph built for %s matches the recorded one', (name, id, modelId, isFilm) => {
  const architecture = shipped.find(one => one.id === id)!;
  const config = defaultsOf(architecture, modelId);
  const job = {
    requestId: 'r',
    claim: 1,
    attempt: 1,
    architecture: id,
    modelId,
    prompt: 'a heron',
    seed: 7,
    config: 'negative_prompt' in config ? { ...config, negative_prompt: 'mist' } : config,
    output: outputOf(architecture, config),
    inputs: isFilm ? [frame] : [],
  };
  const { workflow } = chooseWorkflow(workflows, job);
  const graph = bindWorkflow(workflow, job, () => 'given.png', 'made');
  expect(linesOf(graph)).toEqual(facts.graphs[name]);
});
