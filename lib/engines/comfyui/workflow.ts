import { z } from 'zod';
import { FilledParameter } from '#lib/engines/parameters';

const MOST_LEVELS = 16;
export const MOST_NODES = 1_000;

/** Value of a node input. Its depth is limited, since recursive code would exhaust the stack on deeper values. */
const InputValue = z.custom<z.core.util.JSONType>(
  value => isWithin(value, MOST_LEVELS),
  `at most ${MOST_LEVELS} levels`,
);

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every(member => isWithin(member, levels - 1)));

/** A node of a graph in ComfyUI's API format. An input is a value, or a link `[node id, output]`. */
const GraphNode = z.object({
  class_type: z
    .string()
    .min(1)
    .refine(name => !(name in {}), 'is no class of nodes'),
  inputs: z.record(z.string(), InputValue),
  _meta: z.object({ title: z.string().optional() }).optional(),
});
export type GraphNode = z.infer<typeof GraphNode>;

/** A graph as `POST /prompt` takes it: nodes by number. */
export const Graph = z
  .record(z.string(), GraphNode)
  .refine(graph => Object.keys(graph).length > 0, 'has no nodes')
  .refine(graph => Object.keys(graph).length <= MOST_NODES, `has more than ${MOST_NODES} nodes`);
export type Graph = z.infer<typeof Graph>;

/**
 * Identifies a node by properties that survive editing and saving a graph, unlike node numbers: its class, then its
 * title, then an input that its output feeds, then its position among the remaining candidates.
 */
const NodePlace = z.strictObject({
  class: z.string().min(1),
  title: z.string().min(1).optional(),
  /** Class and input of a node that takes its output, such as `KSampler.positive`. */
  feeds: z.string().min(1).optional(),
  /** Position, from 0, in the order of `inOrder`. */
  nth: z.int().min(0).optional(),
});
export type NodePlace = z.infer<typeof NodePlace>;

const InputPlace = NodePlace.extend({
  input: z.string().min(1),
  /** For files: the node and its links are removed when the job has no file. If unset, the file is required. */
  optional: z.literal(true).optional(),
});
export type InputPlace = z.infer<typeof InputPlace>;

const Binding = z.strictObject({
  /** Every place gets the value; of a list of files, each place gets one. Optional places come last. */
  to: z.array(InputPlace).min(1),
  set: FilledParameter,
  /** Model ids that the binding applies to; defaults to all. */
  models: z.array(z.string()).min(1).optional(),
  /** For prompts: a boolean config field. When it is false, parentheses are escaped and do not set weights. */
  weights: z.string().optional(),
});
export type Binding = z.infer<typeof Binding>;

/**
 * Schema of `catalog/workflows/*.json`: how ComfyUI generates the output of an architecture. An architecture may have
 * several workflows, for example one for each set of input roles; the first that fits a job is used.
 */
export const Workflow = z.strictObject({
  architecture: z.string().min(1),
  /** Model ids of the architecture that the workflow serves. */
  models: z.array(z.string().min(1)).min(1),
  graph: Graph,
  bindings: z.array(Binding),
  /** Node whose file is the result; defaults to the first saved file of the architecture's type. */
  output: NodePlace.optional(),
  /** Fields of the architecture that the graph does not use. */
  ignores: z.array(z.string()).default([]),
});
export type Workflow = z.infer<typeof Workflow>;

/** Returns the node id and output index that an input is linked to; null for a value. */
export function linkOf(value: unknown): [id: string, output: number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [id, output] = value as unknown[];
  return (typeof id === 'string' || typeof id === 'number') && typeof output === 'number' ? [String(id), output] : null;
}
