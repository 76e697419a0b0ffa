import type { FileField } from '#lib/catalog/file-shape';
import { inOrder, placeOf } from '#lib/engines/comfyui/find-node';
import { fieldOf } from '#lib/catalog/import/field-of';
import { findPrompts } from '#lib/catalog/import/find-prompts';
import { isLink, literalsOf, ownTitle, type Literal } from '#lib/catalog/import/literals';
import { fieldName, isTakenName, meaningOf } from '#lib/catalog/import/meaning';
import { withMasks } from '#lib/catalog/import/with-masks';
import { detailsOf, inputsOf, missingFrom, type NodeInfos } from '#lib/engines/comfyui/node-info';
import { linkOf, type Binding, type Graph, type NodePlace } from '#lib/engines/comfyui/workflow';
import type { MediaKind } from '#lib/media-kind';

/** An input that could be exposed as a field. */
export interface Proposal {
  /** Name that is unique in the import; also the name of the field, if it gets one. */
  name: string;
  binding: Binding;
  /** Field for the architecture file; absent for what every architecture has, and for sizes and lengths. */
  field?: FileField;
  /** Whether the input is exposed by default. */
  on: boolean;
  /** Value in the graph. */
  value: Literal['value'];
}

export interface OutputChoice {
  place: NodePlace;
  type: MediaKind;
}

export interface WorkflowImport {
  graph: Graph;
  proposals: Proposal[];
  /** The best output first; empty when the graph saves nothing that can be shown. */
  outputs: OutputChoice[];
  /** Nodes and files that the server lacks to run the graph. */
  missing: { nodes: string[]; files: string[] };
}

/** Finds the inputs and outputs of a graph in API format, with a server's description of its nodes. */
export function importWorkflow(given: Graph, infos: NodeInfos): WorkflowImport {
  const graph = withMasks(given);
  const outputs = outputsOf(graph, infos);
  const { positive, negative } = findPrompts(graph, infos);
  const proposals = new Map<string, Proposal>();
  const meanings = literalsOf(graph, infos).map(literal => {
    const key = `${literal.id} ${literal.input}`;
    const text = { isPrompt: positive.has(key), isNegative: negative.has(key) };
    return { literal, meaning: meaningOf(graph, literal, text) };
  });
  // names with a known meaning are reserved, wherever in the graph they occur
  const taken = new Set(meanings.flatMap(({ meaning }) => meaning?.name ?? []));
  for (const { literal, meaning } of meanings) {
    const isOptional = meaning?.from.startsWith('input.') && canGo(graph, infos, literal.id);
    const place = {
      ...placeOf(graph, literal.id),
      input: literal.input,
      ...(isOptional && { optional: true as const }),
    };
    const known = meaning && proposals.get(meaning.name);
    // the same value in several places, such as the seeds of two samplers
    if (known && isAlike(known, meaning.from, literal) && 'from' in known.binding.set) {
      const { to, set } = known.binding;
      // places that require a file come before optional ones
      const at = isOptional ? -1 : to.findIndex(({ optional }) => optional);
      to.splice(at === -1 ? to.length : at, 0, place);
      if (meaning.from.startsWith('input.')) set.list = true;
      continue;
    }
    const own = known ? null : meaning;
    const name = own?.name ?? freeName(literal, taken);
    taken.add(name);
    const from = own?.from ?? `config.${name}`;
    proposals.set(name, {
      name,
      binding: { to: [place], set: { from, ...roundingOf(from, literal) } },
      ...(from.startsWith('config.') && { field: fieldOf(name, literal) }),
      on: meaning !== null,
      value: literal.value,
    });
  }
  return { graph, proposals: [...proposals.values()], outputs, missing: missingFrom(infos, graph) };
}

/** Whether another place of the same name can share the value: their types must agree. */
const isAlike = ({ value }: Proposal, from: string, literal: Literal): boolean =>
  !from.startsWith('config.') || typeof value === typeof literal.value;

/** Returns a name that no other proposal has and that has no other meaning. */
function freeName({ title, isOnly, input, class: className }: Literal, taken: ReadonlySet<string>): string {
  const base = fieldName((isOnly && title) || input) || fieldName(input) || 'value';
  const isFree = (name: string) => name !== '' && !taken.has(name) && !isTakenName(name);
  for (const name of [base, fieldName(`${title ?? className} ${input}`)]) if (isFree(name)) return name;
  for (let nth = 2; ; nth++) if (isFree(`${base}_${nth}`)) return `${base}_${nth}`;
}

/** Returns the rounding that makes sizes and lengths valid for the node. */
function roundingOf(from: string, { spec }: Literal): { step?: number; offset?: number; min?: number } {
  const { step, min } = spec ? detailsOf(spec) : {};
  if (from === 'config.guidance_scale' && typeof min === 'number') return { min };
  if ((from === 'output.width' || from === 'output.height') && typeof step === 'number' && step > 1) return { step };
  if (from !== 'output.frames' || typeof step !== 'number' || step <= 1) return {};
  return { step, offset: typeof min === 'number' ? min % step : 1 };
}

/** Whether every node linked to this one works without it. */
function canGo(graph: Graph, infos: NodeInfos, id: string): boolean {
  return Object.values(graph).every(({ class_type, inputs }) =>
    Object.entries(inputs).every(
      ([name, value]) =>
        !isLink(graph, value) ||
        linkOf(value)![0] !== id ||
        Object.hasOwn(infos[class_type]?.input.optional ?? {}, name),
    ),
  );
}

const FILM = /video|webm|mp4/i;
/** Nodes that save animated images, which are not videos and could not be finished as results. */
const ANIMATION = /animated|gif|apng/i;

/** Returns the nodes that save media: titled ones first, saved before previewed, then videos, images, audio. */
function outputsOf(graph: Graph, infos: NodeInfos): OutputChoice[] {
  const choices = inOrder(graph).flatMap(id => {
    const { class_type } = graph[id]!;
    const info = infos[class_type];
    if (!info?.output_node || ANIMATION.test(class_type)) return [];
    const types = Object.values(inputsOf(info)).map(([type]) => type);
    const isFilm = types.includes('VIDEO') || (types.includes('IMAGE') && FILM.test(class_type));
    const type = isFilm ? 'video' : types.includes('IMAGE') ? 'image' : types.includes('AUDIO') ? 'audio' : null;
    if (!type) return [];
    const isNamed = /^@\s*(output|result)$/i.test(ownTitle(graph[id]!, info) ?? '');
    const rank = (isNamed ? 0 : 10) + (/preview/i.test(class_type) ? 5 : 0) + ['video', 'image', 'audio'].indexOf(type);
    return [{ place: placeOf(graph, id), type, rank } as const];
  });
  return choices.toSorted((a, b) => a.rank - b.rank).map(({ place, type }) => ({ place, type }));
}
