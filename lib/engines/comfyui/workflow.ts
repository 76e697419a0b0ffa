import { z } from 'zod';
import { FilledParameter } from '#lib/engines/parameters';

const MOST_LEVELS = 16;
export const MOST_NODES = 1_000;

/** Deeper values are nobody's, and exhaust whoever reads them. */
const InputValue = z.custom<z.core.util.JSONType>(
  value => isWithin(value, MOST_LEVELS),
  `at most ${MOST_LEVELS} levels`,
);

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every(member => isWithin(member, levels - 1)));

/** One node of a graph in ComfyUI's API format. An input is a value, or a link `[node id, output]`. */
const GraphNode = z.object({
  class_type: z
    .string()
    .min(1)
    .refine(name => !(name in {}), 'is no class of nodes'),
  inputs: z.record(z.string(), InputValue),
  _meta: z.object({ title: z.string().optional() }).optional(),
});
export type GraphNode = z.infer<typeof GraphNode>;

/** What `POST /prompt` takes: nodes by their number. */
export const Graph = z
  .record(z.string(), GraphNode)
  .refine(graph => Object.keys(graph).length > 0, 'has no nodes')
  .refine(graph => Object.keys(graph).length <= MOST_NODES, `has more than ${MOST_NODES} nodes`);
export type Graph = z.infer<typeof Graph>;

/**
 * A node, found by what stays the same when a graph is edited and saved again: its class, then its title, then where its
 * output goes, then its turn among those that are left. Node numbers do not stay the same.
 */
const NodePlace = z.strictObject({
  class: z.string().min(1),
  title: z.string().min(1).optional(),
  /** `KSampler.positive`: class and input of a node that it is linked to. */
  feeds: z.string().min(1).optional(),
  /** From 0, in the order in which the links lead to them from the outputs. */
  nth: z.int().min(0).optional(),
});
export type NodePlace = z.infer<typeof NodePlace>;

const InputPlace = NodePlace.extend({
  input: z.string().min(1),
  /** For files: without one the node goes, and with it the links from it. Otherwise the workflow is not for such a job. */
  optional: z.literal(true).optional(),
});
export type InputPlace = z.infer<typeof InputPlace>;

const Binding = z.strictObject({
  /** Every place gets the value; of a list of files each place gets one, those that can do without come last. */
  to: z.array(InputPlace).min(1),
  set: FilledParameter,
  /** The model ids that it is for; all when left out. */
  models: z.array(z.string()).min(1).optional(),
  /** For prompts: a boolean field. False takes their meaning from parentheses, which set weights otherwise. */
  weights: z.string().optional(),
});
export type Binding = z.infer<typeof Binding>;

/**
 * The shape of `catalog/workflows/*.json`: how a ComfyUI makes what an architecture promises. One architecture may have
 * several, such as one for each set of media that a request brings; the first that fits a job is taken.
 */
export const Workflow = z.strictObject({
  architecture: z.string().min(1),
  /** The model ids of the architecture that it serves. */
  models: z.array(z.string().min(1)).min(1),
  graph: Graph,
  bindings: z.array(Binding),
  /** The node whose file is the result; left out: the first saved file of the architecture's type. */
  output: NodePlace.optional(),
  /** Fields of the architecture that the graph has no use for. */
  ignores: z.array(z.string()).default([]),
});
export type Workflow = z.infer<typeof Workflow>;

/** Id and output of the node that an input is linked to; null for a value. */
export function linkOf(value: unknown): [id: string, output: number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [id, output] = value as unknown[];
  return (typeof id === 'string' || typeof id === 'number') && typeof output === 'number' ? [String(id), output] : null;
}
