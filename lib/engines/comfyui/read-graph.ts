import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { Graph, MOST_NODES } from '#lib/engines/comfyui/workflow';
import { AppError } from '#lib/errors';
import { isObject } from '#lib/is-object';
import { sniffType } from '#lib/media/sniff';

const HOW =
  'In ComfyUI, open the workflow and choose Workflow → Export (API); in older versions switch on Settings → Dev mode first, then Save (API Format).';

/**
 * Reads the graph in API format from a file: JSON, or an image or video saved by ComfyUI. Throws
 * `AppError('invalid_request')`, which says what the file is and how to get the right one.
 */
export async function readGraph(file: Uint8Array): Promise<Graph> {
  const type = sniffType(file);
  const texts =
    type === null
      ? [Buffer.from(file).toString('utf8')]
      : type.startsWith('image/')
        ? await pictureTexts(file)
        : await filmTexts(file);
  const found = texts.map(text => graphIn(parseJson(text)));
  const graph = found.find(one => typeof one === 'object' && one !== null);
  if (graph) return graph;
  if (found.includes('editor')) throw refusal(`This is the editor's own format, which a server cannot run. ${HOW}`);
  if (type !== null) throw refusal(`The file carries no workflow; many sites remove it from what they show. ${HOW}`);
  throw refusal(`This is no ComfyUI workflow. ${HOW}`);
}

const refusal = (message: string) => new AppError('invalid_request', message);

/** Members that may wrap a graph: in a request body, in a history entry, or in what the editor passes to scripts. */
const WRAPPERS = ['prompt', 'output', 'workflow_api', 'workflow', 'extra_data'];

function graphIn(json: unknown, depth = 0): Graph | 'editor' | null {
  if (typeof json === 'string') return graphIn(parseJson(json), depth + 1);
  if (!isObject(json) || depth > 4) return null;
  const entries = new Map<string, unknown>(Object.entries(json));
  if (Array.isArray(entries.get('nodes'))) return 'editor';
  const nodes = [...entries].filter(([, value]) => isObject(value) && 'class_type' in value);
  if (nodes.length > MOST_NODES)
    throw refusal(`The workflow has ${nodes.length} nodes; at most ${MOST_NODES} are read.`);
  // besides nodes, a file may contain remarks of the tool that wrote it
  const graph = Graph.safeParse(Object.fromEntries(nodes));
  if (graph.success) return graph.data;
  const inner = WRAPPERS.map(name => graphIn(entries.get(name), depth + 1));
  return inner.find(one => one !== null && one !== 'editor') ?? inner.find(one => one !== null) ?? null;
}

function parseJson(text: string): unknown {
  for (const attempt of [text, withoutNaN(text)]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // the text is tried unchanged, then with Python's NaN and Infinity replaced
    }
  }
  return null;
}

/** Replaces NaN and Infinity, which Python writes although JSON does not allow them. */
const withoutNaN = (text: string) => text.replaceAll(/([[:,]\s*)(NaN|-?Infinity)(?=\s*[,\]}])/g, '$1null');

async function pictureTexts(file: Uint8Array): Promise<string[]> {
  try {
    const { comments = [] } = await sharp(file).metadata();
    return comments.map(({ text }) => text);
  } catch {
    return [];
  }
}

async function filmTexts(file: Uint8Array): Promise<string[]> {
  using input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  try {
    const { comment, raw = {} } = await input.getMetadataTags();
    return [comment, ...Object.values(raw)].filter(text => typeof text === 'string');
  } catch {
    return [];
  }
}
