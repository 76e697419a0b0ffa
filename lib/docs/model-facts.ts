import type { CatalogEntry } from '#lib/contract/catalog-entry';

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
export function rulesOf({
  options,
  mentions,
  max_images,
  max_images_by_model,
  exclusive,
  needs,
  source_video,
}: CatalogEntry): string[] {
  const all = options.model_id?.length;
  const models = (ids: string[]) => (ids.length === all ? '' : ` (${ids.join(', ')})`);
  const { characters, references, audio_references, max_audio_references, character_voices } = mentions;
  const facts: string[] = [];
  if (characters.length) facts.push(`A prompt may mention characters${models(characters)}.`);
  if (character_voices) facts.push('The voices of mentioned characters are sent too, unless switched off.');
  if (references.length) facts.push(`A prompt may mention references with an image${models(references)}.`);
  if (audio_references.length) facts.push(`A prompt may mention audio references${models(audio_references)}.`);
  if (max_audio_references) facts.push(`Up to ${max_audio_references} audio clips, voices counted.`);
  if (max_images > 0) facts.push(`Up to ${max_images} images, those of mentions counted.`);
  for (const [model, most] of Object.entries(max_images_by_model)) facts.push(`${model}: up to ${most} images.`);
  if (exclusive.length)
    facts.push(`Of ${exclusive.map(group => group.join(' and ')).join(', or ')}: only one kind at a time.`);
  for (const [role, least] of Object.entries(needs))
    facts.push(
      `Every request brings ${least === 1 ? 'a' : least} ${role.replaceAll('_', ' ')}${least === 1 ? '' : 's'}.`,
    );
  if (source_video) {
    const [from, to] = source_video.seconds;
    facts.push(`The source video lasts ${from} to ${to} seconds.`);
    if (source_video.output_follows) facts.push('The output is as long as the source video.');
  }
  return facts;
}
