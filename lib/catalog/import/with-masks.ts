import { linkOf, type Graph } from '#lib/engines/comfyui/workflow';

/** The node that makes a mask of a file. */
export const MASK_LOADER = 'LoadImageMask';

/**
 * The graph with a file of its own for each mask, white where something else is to be. In ComfyUI a mask is mostly what a picture
 * that somebody painted on leaves transparent: the second output of the node that loads it.
 */
export function withMasks(graph: Graph): Graph {
  const all = structuredClone(graph);
  for (const [id, { class_type, inputs }] of Object.entries(graph)) {
    if (class_type === MASK_LOADER) all[id]!.inputs.channel = 'red';
    if (class_type !== 'LoadImage' || linksTo(all, id, 1).length === 0) continue;
    const loader = { class_type: MASK_LOADER, inputs: { image: inputs.image!, channel: 'red' } };
    const isPicture = linksTo(all, id, 0).length > 0;
    const own = isPicture ? `${id}_mask` : id;
    for (const [node, input] of linksTo(all, id, 1)) all[node]!.inputs[input] = [own, 0];
    all[own] = isPicture ? loader : { ...all[id], ...loader };
  }
  return all;
}

/** Node and input of each link to an output. */
const linksTo = (graph: Graph, id: string, output: number): [node: string, input: string][] =>
  Object.entries(graph).flatMap(([node, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, value]): [string, string][] => {
      const link = linkOf(value);
      return link?.[0] === id && link[1] === output ? [[node, input]] : [];
    }),
  );
