import type { Architecture } from '#lib/catalog/catalog-file';
import type { FieldRole } from '#lib/catalog/file-shape';
import { findNode } from '#lib/engines/comfyui/find-node';
import { linkOf, type Binding, type Workflow } from '#lib/engines/comfyui/workflow';
import { readWorkflowShape, type CheckedWorkflow } from '#lib/engines/comfyui/workflows';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** Reads the JSON of a workflow file. Returns the workflow, or all its issues by JSON pointer. */
export function readWorkflow(json: unknown, find: (id: string) => Architecture | null): CheckedWorkflow {
  const shape = readWorkflowShape(json);
  if (!shape.workflow) return shape;
  const { workflow } = shape;
  const architecture = find(workflow.architecture);
  const issues = architecture
    ? [...checkPlaces(workflow), ...checkModels(workflow, architecture), ...checkFields(workflow, architecture)]
    : [{ path: '/architecture', message: `there is no architecture ${workflow.architecture}` }];
  return issues.length ? { workflow: null, issues } : { workflow, issues: [] };
}

function checkPlaces({ graph, bindings, output }: Workflow): Issue[] {
  const problem = output && findNode(graph, output).problem;
  const taken = new Map<string, Binding>();
  const issues = bindings.flatMap((binding, index) =>
    binding.to.flatMap((place, nth) => {
      const path = pointer('bindings', index, 'to', nth);
      const { id, problem } = findNode(graph, place);
      if (id === undefined) return [{ path, message: problem }];
      const present = graph[id]!.inputs[place.input];
      if (present === undefined) return [{ path, message: `${place.class} has no input ${place.input}` }];
      if (linkOf(present))
        return [{ path, message: `${place.input} is linked to another node, which decides its value` }];
      const key = `${id} ${place.input}`;
      const before = taken.get(key);
      taken.set(key, binding);
      const both =
        before && (!before.models || !binding.models || before.models.some(id => binding.models?.includes(id)));
      return both ? [{ path, message: `${place.class}.${place.input} is bound twice` }] : [];
    }),
  );
  return problem ? [...issues, { path: '/output', message: problem }] : issues;
}

function checkModels({ models, bindings }: Workflow, { model_ids }: Architecture): Issue[] {
  const unknown = (ids: string[], known: string[], ...path: (string | number)[]) =>
    ids.filter(id => !known.includes(id)).map(id => ({ path: pointer(...path), message: `there is no model ${id}` }));
  return [
    ...unknown(models, model_ids, 'models'),
    ...bindings.flatMap((binding, index) => unknown(binding.models ?? [], models, 'bindings', index, 'models')),
  ];
}

/** Sources computed from a field of each role: the field is used when one of them is. */
const THROUGH_OUTPUT: Partial<Record<FieldRole, string[]>> = {
  aspect_ratio: ['output.width', 'output.size'],
  resolution: ['output.width', 'output.size'],
  duration: ['output.duration', 'output.frames'],
  sound: ['output.sound'],
  sample_rate: ['output.sample_rate'],
};

/** Every field must have an effect, or be listed in `ignores`. */
function checkFields({ bindings, ignores }: Workflow, { fields, id }: Architecture): Issue[] {
  const wrong = bindings.flatMap(({ set }, index) => {
    const name = 'from' in set && /^config\.(\w+)$/.exec(set.from)?.[1];
    return name && !Object.hasOwn(fields, name)
      ? [{ path: pointer('bindings', index, 'set', 'from'), message: `${id} has no field ${name}` }]
      : [];
  });
  const unused = unusedFields(sourcesIn(bindings), fields).filter(name => !ignores.includes(name));
  return [
    ...wrong,
    ...unused.map(name => ({
      path: '/bindings',
      message: `the field ${name} does nothing; bind it, or name it in ignores`,
    })),
  ];
}

/** Returns the sources of the bindings' values. */
export const sourcesIn = (bindings: readonly Binding[]): Set<string> =>
  new Set(bindings.flatMap(({ set, weights }) => ['from' in set ? set.from : '', `config.${weights}`]));

/** Returns the fields of an architecture that have no effect when values come only from these sources. */
export function unusedFields(sources: ReadonlySet<string>, fields: Architecture['fields']): string[] {
  return Object.entries(fields).flatMap(([name, { role, media }]) => {
    const ways = name === 'prompt' || name === 'seed' ? [name] : ((role && THROUGH_OUTPUT[role]) ?? []);
    const isUsed = [`config.${name}`, ...ways].some(source => sources.has(source));
    // media may be used by other workflows of the architecture, and model_id selects bindings
    const isElsewhere = media !== undefined || name === 'model_id' || role === 'character_voices';
    return isUsed || isElsewhere ? [] : [name];
  });
}
