import { linkOf, type Graph } from '#lib/engines/comfyui/workflow';

/** Class of the node that loads a mask from a file. */
export const MASK_LOADER = 'LoadImageMask';

/**
 * Returns the graph with a separate file for each mask, white where the image should change. In ComfyUI a mask is
 * usually the transparency of an image: the second output of the node that loads it.
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

/** Returns node and input of each link to an output. */
const linksTo = (graph: Graph, id: string, output: number): [node: string, input: string][] =>
  Object.entries(graph).flatMap(([node, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, value]): [string, string][] => {
      const link = linkOf(value);
      return link?.[0] === id && link[1] === output ? [[node, input]] : [];
    }),
  );
