import { exclusiveWords, neededWords } from '#lib/catalog/check-media-rules';
import { countsSource } from '#lib/catalog/price';
import type { CatalogEntry, NeededMedia } from '#lib/contract/catalog-entry';
import { many } from '#lib/contract/words';

const PROMPTS = {
  image: 'a lighthouse at dusk',
  video: 'waves roll against a lighthouse',
  audio: 'waves, and a foghorn far away',
};

/** Returns an example config with a prompt and the main settings. */
export function exampleConfig({ type, base_config }: CatalogEntry): Record<string, unknown> {
  const shown = ['aspect_ratio', 'resolution', 'duration'].filter(name => name in base_config);
  return { prompt: PROMPTS[type], ...Object.fromEntries(shown.map(name => [name, base_config[name]])) };
}

/** Returns the rules between the fields of a model, as sentences. */
export const rulesOf = (entry: CatalogEntry): string[] => [
  ...mentionRules(entry),
  ...imageRules(entry),
  ...sourceVideoRules(entry),
];

/** Returns variants in parentheses; nothing when these are all. */
const only = ({ options }: CatalogEntry, ids: string[]): string =>
  ids.length === options.model_id?.length ? '' : ` (${ids.join(', ')})`;

function mentionRules(entry: CatalogEntry): string[] {
  const { mentions, character_voices_switch: off } = entry;
  const { characters, references, audio_references, max_audio_references, character_voices } = mentions;
  const rules: string[] = [];
  if (characters.length) rules.push(`A prompt may mention characters${only(entry, characters)}.`);
  else if (character_voices) rules.push('A prompt may mention characters that have a voice; only the voice is sent.');
  if (characters.length && character_voices)
    rules.push(`The voices of mentioned characters are sent too${off ? `, unless ${off} is false` : ''}.`);
  if (references.length) rules.push(`A prompt may mention references with an image${only(entry, references)}.`);
  if (audio_references.length) rules.push(`A prompt may mention audio references${only(entry, audio_references)}.`);
  if (max_audio_references)
    rules.push(`Up to ${many(max_audio_references, 'audio clip')}${character_voices ? ', voices counted' : ''}.`);
  return rules;
}

function imageRules({ name, mentions, max_images, max_images_by_model, exclusive, needs }: CatalogEntry): string[] {
  const counted = mentions.characters.length + mentions.references.length ? ', those of mentions counted' : '';
  const rules: string[] = [];
  if (max_images > 0) rules.push(`Up to ${many(max_images, 'reference image')}${counted}.`);
  for (const [model, most] of Object.entries(max_images_by_model))
    rules.push(`${model}: up to ${many(most, 'reference image')}.`);
  if (exclusive.length) rules.push(`${name} takes ${exclusiveWords(exclusive)}.`);
  for (const [role, least] of Object.entries(needs))
    rules.push(`Every request brings ${neededWords(role as keyof NeededMedia, least)}.`);
  return rules;
}

function sourceVideoRules(entry: CatalogEntry): string[] {
  const { source_video, options, price } = entry;
  if (!source_video) return [];
  const { models, seconds, seconds_by_model, max_images, max_total_seconds, output_follows } = source_video;
  const range = ([from, to]: [number, number]) => `${from} to ${to} seconds`;
  const others = Object.entries(seconds_by_model).map(([model, its]) => `, with ${model} ${range(its)}`);
  const priced = (options.model_id ?? []).filter(id => countsSource(entry, id));
  const rules: string[] = [];
  if (models) rules.push(`A source video needs model_id ${models.join(' or ')}.`);
  rules.push(`A source video lasts ${range(seconds)}${others.join('')}.`);
  if (output_follows)
    rules.push('The output has the length and shape of the source video, whatever duration and aspect ratio say.');
  if (max_images !== undefined) rules.push(`With a source video, up to ${many(max_images, 'reference image')}.`);
  if (max_total_seconds)
    rules.push(`The source video and duration together last at most ${max_total_seconds} seconds.`);
  if (priced.length) {
    const how = price.seconds?.source === 'added' ? 'in addition to' : 'instead of';
    rules.push(
      `The price counts the seconds of the source video ${how} ${price.seconds?.field}${only(entry, priced)}.`,
    );
  }
  return rules;
}
