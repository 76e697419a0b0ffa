import { COMMON_FIELDS } from '#lib/catalog/common-fields';
import { MASK_LOADER } from '#lib/catalog/import/with-masks';
import { slug } from '#lib/contract/slug';
import { isModelFile } from '#lib/engines/comfyui/answers';
import { consumersOf } from '#lib/engines/comfyui/find-node';
import { isFlagged, type Literal } from '#lib/catalog/import/literals';
import type { Graph } from '#lib/engines/comfyui/workflow';

/** Purpose of a value: the name of its field, and the source of its value in a job. */
interface Meaning {
  name: string;
  from: string;
}

/** Meaning of the names that authors give to nodes after an @. */
const NAMES: Record<string, Meaning['from']> = {
  prompt: 'prompt',
  seed: 'seed',
  negative_prompt: 'config.negative_prompt',
  num_inference_steps: 'config.num_inference_steps',
  guidance_scale: 'config.guidance_scale',
  width: 'output.width',
  height: 'output.height',
  frames: 'output.frames',
  fps: 'output.fps',
  duration: 'output.duration',
  image: 'input.reference',
  first_image: 'input.first_frame',
  last_image: 'input.last_frame',
  mask: 'input.mask',
  video: 'input.source_video',
  audio: 'input.audio_reference',
};

const ALIASES: Record<string, string> = {
  positive: 'prompt',
  positive_prompt: 'prompt',
  text: 'prompt',
  negative: 'negative_prompt',
  noise_seed: 'seed',
  steps: 'num_inference_steps',
  cfg: 'guidance_scale',
  guidance: 'guidance_scale',
  length: 'frames',
  num_frames: 'frames',
  frame_rate: 'fps',
  seconds: 'duration',
  input_image: 'image',
  reference: 'image',
  start_image: 'first_image',
  first_frame: 'first_image',
  end_image: 'last_image',
  last_frame: 'last_image',
  mask_image: 'mask',
  input_mask: 'mask',
  input_video: 'video',
  input_audio: 'audio',
  voice: 'audio',
};

/** Meaning of inputs by name, on nodes whose class matches. */
const INPUTS: { input: RegExp; class?: RegExp; name: string }[] = [
  { input: /^(noise_)?seed$/, name: 'seed' },
  { input: /^steps$/, name: 'num_inference_steps' },
  { input: /^(cfg|cfg_scale|guidance|guidance_scale)$/, name: 'guidance_scale' },
  { input: /^width$/, class: /latent|tovideo|i2v|t2v|^empty/i, name: 'width' },
  { input: /^height$/, class: /latent|tovideo|i2v|t2v|^empty/i, name: 'height' },
  { input: /^(length|num_frames|video_frames|frame_count)$/, class: /video|latent|i2v|t2v/i, name: 'frames' },
  { input: /^(fps|frame_rate)$/, name: 'fps' },
  { input: /^(seconds|duration)$/, class: /audio/i, name: 'duration' },
  { input: /^negative(_prompt)?$/, name: 'negative_prompt' },
];

const isKnown = (name: string): boolean => Object.hasOwn(NAMES, name);

const meant = (name: string): Meaning => ({ name, from: isKnown(name) ? NAMES[name]! : `config.${name}` });

/** Whether a name has a fixed meaning, so that a field of another value may not have it. */
export const isTakenName = (name: string): boolean => isKnown(name) || Object.hasOwn(COMMON_FIELDS, name);

/** Returns a text as the name of a field. */
export const fieldName = (text: string): string => slug(text, 60);

/** Returns the meaning that the author declared, by an @ in the title or by an input node. */
function named(literal: Literal, guess: Meaning | null): Meaning | null {
  const { title, said } = literal;
  const given = /^@\s*(\S.*)$/.exec(title ?? '')?.[1] ?? (said && (said.name ?? title));
  const name = given && canonical(fieldName(given));
  if (!name) return null;
  const meaning = meant(name);
  // a file cannot fill a text field, whatever its name
  if (isFile(literal) && meaning.from.startsWith('config.')) return null;
  return literal.isOnly || isNameOf(literal, meaning, guess) ? meaning : null;
}

const canonical = (name: string): string => (Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name);

/** Whether a node's name applies to this value: to the one with that meaning or input name, else to files or texts. */
function isNameOf(literal: Literal, { name, from }: Meaning, guess: Meaning | null): boolean {
  if (guess?.name === name || canonical(literal.input) === name) return true;
  if (from.startsWith('input.')) return isFile(literal);
  return (name.endsWith('prompt') || !isKnown(name)) && isFlagged(literal, 'multiline');
}

/** Returns whether an image is a first frame, a last frame or a reference, by the nodes that it leads to. */
function frameOf(graph: Graph, id: string, seen = new Set<string>()): string {
  if (seen.has(id)) return 'image';
  seen.add(id);
  const onward = consumersOf(graph, id);
  if (onward.some(place => /\.(end|last)_(image|frame)$/.test(place))) return 'last_image';
  if (onward.some(place => /tovideo|i2v|startimage/i.test(place))) return 'first_image';
  const next = Object.keys(graph).filter(other =>
    onward.some(place => place.startsWith(`${graph[other]!.class_type}.`)),
  );
  return next.map(other => frameOf(graph, other, seen)).find(role => role !== 'image') ?? 'image';
}

const isFile = (literal: Literal) =>
  ['image_upload', 'video_upload', 'audio_upload'].some(flag => isFlagged(literal, flag));

/** Returns the meaning of a value; null when it cannot be told. `text` says to which prompts the value leads. */
export function meaningOf(
  graph: Graph,
  literal: Literal,
  text: { isPrompt: boolean; isNegative: boolean },
): Meaning | null {
  const guess = guessOf(graph, literal, text);
  return named(literal, guess) ?? guess;
}

/** Returns the meaning that the graph implies, regardless of titles. */
function guessOf(graph: Graph, literal: Literal, text: { isPrompt: boolean; isNegative: boolean }): Meaning | null {
  const { id, input, value, said } = literal;
  // checked first: a prompt is often zeroed out or reused on the negative side
  if (text.isPrompt) return meant('prompt');
  if (text.isNegative) return meant('negative_prompt');
  if (isFlagged(literal, 'image_upload')) return meant(literal.class === MASK_LOADER ? 'mask' : frameOf(graph, id));
  if (isFlagged(literal, 'video_upload')) return meant('video');
  if (isFlagged(literal, 'audio_upload')) return meant('audio');
  if (isModelFile(value)) return null;
  // an input node has the meaning of the inputs that it is linked to
  const places = said ? consumersOf(graph, id).map(place => place.split('.')) : [[literal.class, input]];
  const rule = INPUTS.find(one =>
    places.some(([className = '', name = '']) => one.input.test(name) && (one.class?.test(className) ?? true)),
  );
  return rule ? meant(rule.name) : null;
}
