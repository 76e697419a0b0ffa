import { isLink } from '#lib/catalog/import/literals';
import { detailsOf, inputsOf, type NodeInfos } from '#lib/engines/comfyui/node-info';
import { linkOf, type Graph, type GraphNode } from '#lib/engines/comfyui/workflow';

/** Names of text inputs of encoders and text nodes. */
const TEXT =
  /^(text|text_[gl]|prompt|positive_prompt|clip_[lg]|t5xxl|value|string|default_value|llama|caption|tags|lyrics)$/;

/** Returns the keys (`id input`) of the texts that lead to the positive and negative inputs of samplers. */
export function findPrompts(graph: Graph, infos: NodeInfos): { positive: Set<string>; negative: Set<string> } {
  const positive = new Set<string>();
  const negative = new Set<string>();
  const seen = new Map([positive, negative].map(found => [found, new Set<string>()]));
  for (const { inputs } of Object.values(graph)) {
    for (const [name, found] of [
      ['positive', positive],
      ['conditioning', positive],
      ['negative', negative],
    ] as const) {
      if (isSampler(inputs)) follow(graph, infos, inputs[name], found, seen.get(found)!);
    }
  }
  return { positive, negative };
}

/** Whether a node is a sampler, or a guider in front of one. */
const isSampler = (inputs: GraphNode['inputs']) =>
  'positive' in inputs || ('conditioning' in inputs && 'model' in inputs);

function follow(graph: Graph, infos: NodeInfos, value: unknown, found: Set<string>, seen: Set<string>): void {
  const link = isLink(graph, value) ? linkOf(value) : null;
  if (!link || seen.has(link.join(' '))) return;
  seen.add(link.join(' '));
  const [id, slot] = link;
  const node = graph[id]!;
  const info = infos[node.class_type];
  const texts = Object.entries(node.inputs).filter(
    ([name]) => TEXT.test(name) || (info && detailsOf(inputsOf(info)[name] ?? ['']).multiline),
  );
  for (const [name, text] of texts) {
    if (typeof text === 'string' && !/negative/.test(name)) found.add(`${id} ${name}`);
    else follow(graph, infos, text, found, seen);
  }
  if (texts.length) return;
  // a node that passes both sides through keeps their order
  const side = slot === 1 ? 'negative' : 'positive';
  const onward = side in node.inputs ? [node.inputs[side]] : Object.values(node.inputs);
  for (const next of onward) if (carriesWords(graph, infos, next)) follow(graph, infos, next, found, seen);
}

/** Whether a link can lead to text; links to models, images and encoders are not followed. */
function carriesWords(graph: Graph, infos: NodeInfos, value: unknown): boolean {
  const link = isLink(graph, value) ? linkOf(value) : null;
  const type = link && infos[graph[link[0]]!.class_type]?.output[link[1]];
  return type === undefined || type === 'CONDITIONING' || type === 'STRING' || type === '*';
}
