import { z } from 'zod';
import { isModelFile } from '#lib/engines/comfyui/answers';
import { graphOf } from '#lib/engines/comfyui/bind-workflow';
import type { Graph, Workflow } from '#lib/engines/comfyui/workflow';
import type { EngineHttp } from '#lib/engines/engine-http';
import { EngineError, type ProbeResult } from '#lib/engines/engine';

/** Specification of an input: its type, or on older servers its list of choices, followed by its details. */
const InputSpec = z.tuple([z.union([z.string(), z.array(z.unknown())])], z.unknown());
export type InputSpec = z.infer<typeof InputSpec>;

/** Description of a node class from `/object_info`. */
export const NodeInfo = z.object({
  input: z.object({
    required: z.record(z.string(), InputSpec).default({}),
    optional: z.record(z.string(), InputSpec).default({}),
  }),
  output: z.array(z.unknown()).default([]),
  output_node: z.boolean().default(false),
  /** Default title of its nodes. */
  display_name: z.string().nullish(),
});
export type NodeInfo = z.infer<typeof NodeInfo>;

/** Descriptions by class; a missing class is not installed on the server. */
export const NodeInfos = z.record(z.string(), NodeInfo);
export type NodeInfos = z.infer<typeof NodeInfos>;

const INFO_BYTES = 64_000_000;

export const inputsOf = ({ input }: NodeInfo): Record<string, InputSpec> => ({ ...input.required, ...input.optional });

/** Returns the details of an input, such as its limits. */
export function detailsOf([, details]: InputSpec): Record<string, unknown> {
  return details && typeof details === 'object' ? { ...details } : {};
}

/** Returns the choices of an input; null where it is not a choice. */
export function choicesOf(spec: InputSpec): (string | number | boolean)[] | null {
  const choices = Array.isArray(spec[0]) ? spec[0] : detailsOf(spec).options;
  if (!Array.isArray(choices)) return null;
  // a choice with further inputs is an object; its key is the value
  return choices.flatMap(choice => {
    const value: unknown = choice && typeof choice === 'object' && 'key' in choice ? choice.key : choice;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : [];
  });
}

/**
 * Reads the descriptions of the node classes that the workflows use; those of all classes can be many megabytes. If the
 * server fails to describe only some classes, these count as missing, so that workflows without them are unaffected.
 */
export async function readNodeInfo(http: EngineHttp, workflows: Pick<Workflow, 'graph'>[]): Promise<NodeInfos> {
  const classes = new Set(workflows.flatMap(({ graph }) => Object.values(graph).map(node => node.class_type)));
  const infos: NodeInfos = {};
  let failure: EngineError | undefined;
  for (const name of classes)
    try {
      const path = `/object_info/${encodeURIComponent(name)}`;
      Object.assign(infos, await http.json(NodeInfos, 'GET', path, { maxBytes: INFO_BYTES }));
    } catch (error) {
      if (!(error instanceof EngineError && error.code === 'engine_error' && error.retryable)) throw error;
      failure = error;
    }
  if (failure && Object.keys(infos).length === 0) throw failure;
  return infos;
}

/** Returns the model files that the server has for these nodes, and what the workflows need but the server lacks. */
export function lacking(infos: NodeInfos, workflows: Workflow[]): Required<Pick<ProbeResult, 'models' | 'lacks'>> {
  const inputs = Object.values(infos).flatMap(info => Object.values(inputsOf(info)));
  const models = [...new Set(inputs.flatMap(spec => choicesOf(spec) ?? []).filter(isModelFile))];
  const lacks = new Map<string, NonNullable<ProbeResult['lacks']>[number]>();
  for (const workflow of workflows)
    for (const modelId of workflow.models) {
      const { architecture } = workflow;
      const { nodes, files } = missingFrom(infos, graphOf(workflow, modelId));
      // a model may have several workflows
      const key = `${architecture}/${modelId}`;
      const names = new Set([...(lacks.get(key)?.names ?? []), ...nodes, ...files]);
      if (names.size > 0) lacks.set(key, { architecture, modelId, names: [...names] });
    }
  return { models, lacks: [...lacks.values()] };
}

/** Returns the node classes and model files that a graph needs and the server does not have. */
export function missingFrom(infos: NodeInfos, graph: Graph): { nodes: string[]; files: string[] } {
  const nodes = new Set<string>();
  const files = new Set<string>();
  for (const { class_type, inputs } of Object.values(graph)) {
    const info = infos[class_type];
    if (!info) nodes.add(class_type);
    for (const [name, spec] of Object.entries(info ? inputsOf(info) : {})) {
      const value = inputs[name];
      if (isModelFile(value) && choicesOf(spec)?.includes(value) === false) files.add(value);
    }
  }
  return { nodes: [...nodes], files: [...files] };
}
