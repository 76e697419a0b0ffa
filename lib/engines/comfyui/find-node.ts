import { linkOf, type Graph, type GraphNode, type NodePlace } from '#lib/engines/comfyui/workflow';

type Found = { id: string; problem?: never } | { id?: never; problem: string };

/** Finds the node of a graph that a place describes. A title or link that no node has is ignored. */
export function findNode(graph: Graph, place: NodePlace): Found {
  let left = linksOf(graph).alike.get(place.class) ?? [];
  if (!left.length) return { problem: `there is no node of the class ${place.class}` };
  const { title, feeds, nth } = place;
  if (title !== undefined) left = narrowed(left, id => titleOf(graph[id]!) === title);
  if (feeds !== undefined) left = narrowed(left, id => consumersOf(graph, id).includes(feeds));
  if (nth !== undefined && left.length > 1) {
    const alike = new Set(left);
    left = inOrder(graph)
      .filter(id => alike.has(id))
      .slice(nth, nth + 1);
  }
  if (left.length === 1) return { id: left[0]! };
  const which = `${place.class}${title === undefined ? '' : ` “${title}”`}`;
  return {
    problem: left.length
      ? `${left.length} nodes are ${which}; give title, feeds or nth`
      : `there is no ${which} number ${nth}`,
  };
}

/** Returns the shortest place that distinguishes a node from the others of its class. */
export function placeOf(graph: Graph, id: string): NodePlace {
  const { places } = linksOf(graph);
  const place = places.get(id) ?? readPlace(graph, id);
  places.set(id, place);
  return place;
}

function readPlace(graph: Graph, id: string): NodePlace {
  const node = graph[id]!;
  const base = { class: node.class_type };
  const title = titleOf(node);
  // a custom title describes the node; a title equal to the class name does not
  const named = title === undefined || title === node.class_type ? base : { ...base, title };
  const tries: NodePlace[] = [named, ...consumersOf(graph, id).map(feeds => ({ ...named, feeds }))];
  const alike = inOrder(graph).filter(other => graph[other]!.class_type === base.class);
  return tries.find(place => findNode(graph, place).id === id) ?? { ...base, nth: alike.indexOf(id) };
}

export const titleOf = ({ _meta: meta }: GraphNode): string | undefined => meta?.title?.trim() || undefined;

/** Returns the inputs that are linked to an output of the node, as `Class.input`. */
export const consumersOf = (graph: Graph, id: string): string[] => linksOf(graph).consumers.get(id) ?? [];

/** Returns all nodes by following links from the end nodes upstream; the order does not depend on node numbers. */
export const inOrder = (graph: Graph): string[] => linksOf(graph).down;

/** Returns all nodes in execution order: each after the nodes that its inputs are linked to. */
export const inWorkOrder = (graph: Graph): string[] => linksOf(graph).up;

interface Links {
  /** Node ids by class. */
  alike: ReadonlyMap<string, string[]>;
  consumers: ReadonlyMap<string, string[]>;
  down: string[];
  up: string[];
  /** Cache of `placeOf`. */
  places: Map<string, NodePlace>;
}

/** Cache by graph; graphs passed to this module are never modified. */
const known = new WeakMap<Graph, Links>();

function linksOf(graph: Graph): Links {
  const links = known.get(graph) ?? readLinks(graph);
  known.set(graph, links);
  return links;
}

function readLinks(graph: Graph): Links {
  const consumers = new Map<string, string[]>();
  for (const { class_type, inputs } of Object.values(graph))
    for (const [name, value] of Object.entries(inputs)) {
      const link = linkOf(value);
      if (link) consumers.set(link[0], [...(consumers.get(link[0]) ?? []), `${class_type}.${name}`]);
    }
  const label = (id: string) =>
    JSON.stringify([graph[id]!.class_type, titleOf(graph[id]!), graph[id]!.inputs.filename_prefix]);
  const ends = Object.keys(graph).filter(id => !consumers.has(id));
  const down = new Set<string>();
  const up: string[] = [];
  const visit = (id: string): void => {
    if (!Object.hasOwn(graph, id) || down.has(id)) return;
    down.add(id);
    for (const value of Object.values(graph[id]!.inputs)) {
      const link = linkOf(value);
      if (link) visit(link[0]);
    }
    up.push(id);
  };
  for (const id of ends.toSorted((a, b) => label(a).localeCompare(label(b), 'en'))) visit(id);
  const alike = Map.groupBy(Object.keys(graph), id => graph[id]!.class_type);
  return { alike, consumers, down: [...down], up, places: new Map() };
}

const narrowed = (ids: string[], fits: (id: string) => boolean): string[] => {
  const fitting = ids.filter(fits);
  return fitting.length ? fitting : ids;
};
