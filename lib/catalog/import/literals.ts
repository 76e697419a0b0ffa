import { inWorkOrder, titleOf } from '#lib/engines/comfyui/find-node';
import { detailsOf, inputsOf, type InputSpec, type NodeInfo, type NodeInfos } from '#lib/engines/comfyui/node-info';
import { inputNodeOf, type Said } from '#lib/catalog/import/input-nodes';
import { MASK_LOADER } from '#lib/catalog/import/with-masks';
import { linkOf, type Graph, type GraphNode } from '#lib/engines/comfyui/workflow';

/** An input of a node that holds a value of its own, so that it can be set from outside. */
export interface Literal {
  id: string;
  class: string;
  input: string;
  value: string | number | boolean;
  /** Undefined where the server does not know the node or the input. */
  spec: InputSpec | undefined;
  /** The title that somebody gave the node. */
  title: string | undefined;
  /** Its node holds no other, so that the title of the node is its own. */
  isOnly: boolean;
  /** What a node that is there for this says of it. */
  said: Said | null;
}

/** Set by us, or of no use to anybody outside. */
const INTERNAL = /^(filename_prefix|control_after_generate|.*\.codec|upload)$/;

/** Every value of a graph, in the order in which the nodes work. Links are none: they hold what another node makes. */
export function literalsOf(graph: Graph, infos: NodeInfos): Literal[] {
  return inWorkOrder(graph).flatMap(id => {
    const { class_type, inputs } = graph[id]!;
    const info = infos[class_type];
    const title = ownTitle(graph[id]!, info);
    const said = inputNodeOf(graph[id]!);
    const values = Object.entries(inputs).flatMap(([input, value]): Omit<Literal, 'isOnly'>[] => {
      if (INTERNAL.test(input) || isLink(graph, value) || (class_type === MASK_LOADER && input === 'channel'))
        return [];
      // lists and objects are the nodes' own affair
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
      // what a node says of its value is no value itself
      if (said && said.input !== input) return [];
      return [{ id, class: class_type, input, value, spec: info && inputsOf(info)[input], title, said }];
    });
    return values.map(value => ({ ...value, isOnly: values.length === 1 }));
  });
}

/** The title that somebody gave a node, not the one that all of its class have. */
export function ownTitle(node: GraphNode, info: NodeInfo | undefined): string | undefined {
  const title = titleOf(node);
  return title === node.class_type || title === info?.display_name ? undefined : title;
}

/** A list of a text and a number may look like a link; a link leads to a node that is there. */
export function isLink(graph: Graph, value: unknown): boolean {
  const link = linkOf(value);
  return link !== null && Object.hasOwn(graph, link[0]);
}

export const isFlagged = ({ spec }: Literal, flag: string): boolean => Boolean(spec && detailsOf(spec)[flag]);
