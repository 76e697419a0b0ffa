import { EngineError, type EngineJob, type InputRole, type JobInput } from '#lib/engines/engine';
import { findNode } from '#lib/engines/comfyui/find-node';
import { linkOf, type Binding, type Graph, type Workflow } from '#lib/engines/comfyui/workflow';
import { InputFile, parameterValue, type BodyValue } from '#lib/engines/parameters';

/** Returns the bindings that apply to a model. */
const bindingsOf = ({ bindings }: Workflow, modelId: string): Binding[] =>
  bindings.filter(({ models }) => models?.includes(modelId) ?? true);

/** A workflow, and the inputs of the job that it takes. */
interface Choice {
  workflow: Workflow;
  inputs: JobInput[];
}

/**
 * Chooses the first workflow that serves the job's model and takes exactly its inputs. Where there is none, spare
 * inputs are dropped one by one, starting with the last, until a workflow fits. Throws `EngineError` when none fits.
 */
export function chooseWorkflow(workflows: Workflow[], job: EngineJob): Choice {
  const { architecture, modelId, inputs } = job;
  const forModel = workflows.filter(one => one.architecture === architecture && one.models.includes(modelId));
  for (let brought = inputs; ;) {
    const workflow = forModel.find(one => takes(one, { ...job, inputs: brought }));
    if (workflow) return { workflow, inputs: brought };
    const left = brought.findLastIndex(({ spare }) => spare);
    if (left < 0) break;
    brought = brought.toSpliced(left, 1);
  }
  if (!forModel.length)
    throw new EngineError('model_missing', `no workflow serves ${architecture} with ${modelId}`, false);
  const brought = inputs.map(({ role }) => role).join(', ') || 'no media';
  throw new EngineError('invalid_input', `no workflow of ${architecture} takes ${brought}`, false);
}

/** Returns the input roles that a model requires: those of its workflow that requires the fewest. */
export function rolesNeeded(workflows: Workflow[], architecture: string, modelId: string): InputRole[] {
  const needs = workflows
    .filter(one => one.architecture === architecture && one.models.includes(modelId))
    .map(workflow =>
      filesOf(workflow, modelId).flatMap(({ role, least }) => Array.from({ length: least }, () => role)),
    );
  return needs.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function takes(workflow: Workflow, { modelId, inputs }: EngineJob): boolean {
  const files = filesOf(workflow, modelId);
  const brought = (role: InputRole) => inputs.filter(input => input.role === role).length;
  return (
    files.every(({ role, least, most }) => brought(role) >= least && brought(role) <= most) &&
    inputs.every(({ role }) => files.some(file => file.role === role))
  );
}

/** Returns how many files of each role a workflow takes. */
function filesOf(workflow: Workflow, modelId: string): { role: InputRole; least: number; most: number }[] {
  return bindingsOf(workflow, modelId).flatMap(({ set, to }) => {
    if (!('from' in set) || !set.from.startsWith('input.')) return [];
    const needed = to.filter(({ optional }) => !optional).length;
    const role = set.from.slice('input.'.length) as InputRole;
    return [set.list ? { role, least: needed, most: to.length } : { role, least: Math.min(needed, 1), most: 1 }];
  });
}

/**
 * Builds the graph of a job. `nameOf` returns the server's name of an uploaded file. `prefix` starts the names of the
 * output files and must be unique: a graph identical to an earlier one is answered with the old files.
 */
export function bindWorkflow(
  workflow: Workflow,
  job: EngineJob,
  nameOf: (input: JobInput) => string,
  prefix: string,
): Graph {
  const graph = structuredClone(workflow.graph);
  for (const { inputs } of Object.values(graph))
    if (typeof inputs.filename_prefix === 'string') inputs.filename_prefix = prefix;
  const dropped: string[] = [];
  for (const binding of bindingsOf(workflow, job.modelId)) {
    const value = weighted(binding, parameterValue(binding.set, job), job);
    binding.to.forEach((place, index) => {
      const { id, problem } = findNode(workflow.graph, place);
      if (id === undefined)
        throw new EngineError('engine_error', `the workflow of ${workflow.architecture}: ${problem}`, false);
      const one = Array.isArray(value) ? value[index] : value;
      if (one instanceof InputFile) graph[id]!.inputs[place.input] = nameOf(one.input);
      else if (one !== undefined) graph[id]!.inputs[place.input] = like(workflow.graph[id]!.inputs[place.input], one);
      else if (place.optional) dropped.push(id);
    });
  }
  for (const id of dropped) drop(graph, id);
  return graph;
}

/** Returns the graph with the constant values of a model filled in. */
export function graphOf(workflow: Workflow, modelId: string): Graph {
  const graph = structuredClone(workflow.graph);
  for (const { set, to } of bindingsOf(workflow, modelId)) {
    if (!('value' in set)) continue;
    for (const place of to) {
      const { id } = findNode(workflow.graph, place);
      if (id !== undefined) graph[id]!.inputs[place.input] = set.value;
    }
  }
  return graph;
}

/** Converts a value to the type of the value that it replaces in the graph. */
function like(present: unknown, value: BodyValue): Graph[string]['inputs'][string] {
  if (typeof present === 'number') return Number(value);
  if (typeof present === 'string') return String(value);
  return value as string | number | boolean;
}

function weighted({ weights }: Binding, value: BodyValue | undefined, { config }: EngineJob): BodyValue | undefined {
  if (typeof value !== 'string' || weights === undefined || config[weights] !== false) return value;
  // ComfyUI knows only the escapes \( and \), so backslashes themselves are not escaped
  return value.replaceAll(/[()]/g, String.raw`\$&`);
}

function drop(graph: Graph, id: string): void {
  delete graph[id];
  for (const { inputs } of Object.values(graph))
    for (const [name, value] of Object.entries(inputs)) if (linkOf(value)?.[0] === id) delete inputs[name];
}
