import { inWorkOrder, titleOf } from '#lib/engines/comfyui/find-node';
import { detailsOf, inputsOf, type InputSpec, type NodeInfo, type NodeInfos } from '#lib/engines/comfyui/node-info';
import { inputNodeOf, type Said } from '#lib/catalog/import/input-nodes';
import { MASK_LOADER } from '#lib/catalog/import/with-masks';
import { linkOf, type Graph, type GraphNode } from '#lib/engines/comfyui/workflow';

/** An input of a node with a literal value, which can be set from outside. */
export interface Literal {
  id: string;
  class: string;
  input: string;
  value: string | number | boolean;
  /** Undefined where the server does not know the node or the input. */
  spec: InputSpec | undefined;
  /** Custom title of the node. */
  title: string | undefined;
  /** Whether the node has no other literal, so that the node's title describes this one. */
  isOnly: boolean;
  /** Description by an input node; null for other nodes. */
  said: Said | null;
}

/** Inputs that are set internally or useless to expose. */
const INTERNAL = /^(filename_prefix|control_after_generate|.*\.codec|upload)$/;

/** Returns every literal of a graph, in the order in which nodes run. Links to other nodes are left out. */
export function literalsOf(graph: Graph, infos: NodeInfos): Literal[] {
  return inWorkOrder(graph).flatMap(id => {
    const { class_type, inputs } = graph[id]!;
    const info = infos[class_type];
    const title = ownTitle(graph[id]!, info);
    const said = inputNodeOf(graph[id]!);
    const values = Object.entries(inputs).flatMap(([input, value]): Omit<Literal, 'isOnly'>[] => {
      if (INTERNAL.test(input) || isLink(graph, value) || (class_type === MASK_LOADER && input === 'channel'))
        return [];
      // lists and objects are internal to nodes
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
      // the other inputs of an input node describe its value
      if (said && said.input !== input) return [];
      return [{ id, class: class_type, input, value, spec: info && inputsOf(info)[input], title, said }];
    });
    return values.map(value => ({ ...value, isOnly: values.length === 1 }));
  });
}

/** Returns the custom title of a node, if it differs from that of its class. */
export function ownTitle(node: GraphNode, info: NodeInfo | undefined): string | undefined {
  const title = titleOf(node);
  return title === node.class_type || title === info?.display_name ? undefined : title;
}

/** Whether a value is a link. A list of a text and a number may look like one, so the node must exist. */
export function isLink(graph: Graph, value: unknown): boolean {
  const link = linkOf(value);
  return link !== null && Object.hasOwn(graph, link[0]);
}

export const isFlagged = ({ spec }: Literal, flag: string): boolean => Boolean(spec && detailsOf(spec)[flag]);
