/** How an output was made, written into the file itself. The same job always gives the same tags. */
export interface MediaTags {
  architecture: string;
  modelId: string;
  prompt: string;
  seed: number;
  /** The resolved config without prompt, seed and files. */
  settings: Readonly<Record<string, unknown>>;
}

/** Returns the tags of an output, without URLs, so that the file does not give access to the files it was made from. */
export function tagsOf({
  config,
  ...made
}: Omit<MediaTags, 'settings'> & { config: Readonly<Record<string, unknown>> }): MediaTags {
  const { architecture, modelId, prompt, seed } = made;
  const settings = Object.entries(config).filter(
    ([name, value]) => name !== 'prompt' && name !== 'seed' && ![value].flat().some(isAddress),
  );
  return { architecture, modelId, prompt, seed, settings: Object.fromEntries(settings) };
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\//i.test(value);

/** Returns the tags in machine-readable form: one JSON object. */
export const tagsToJson = (tags: MediaTags): string =>
  JSON.stringify({
    generator: 'Pomona',
    architecture: tags.architecture,
    model_id: tags.modelId,
    seed: tags.seed,
    prompt: tags.prompt,
    settings: tags.settings,
  });

/** Returns the tags as readable text: the prompt, then one line of `Name: value` pairs, as image tools show them. */
export function tagsToText(tags: MediaTags): string {
  const settings = Object.entries(tags.settings)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .map(([name, value]) => `${name}: ${String(value)}`);
  return [tags.prompt, [`Seed: ${tags.seed}`, `Model: ${tags.modelId}`, ...settings].join(', ')].join('\n');
}

/** Returns a title short enough for the list of a media player: the start of the prompt. */
export function tagsToTitle(tags: MediaTags): string {
  const words = tags.prompt.replace(/\s+/g, ' ').trim();
  const short = Array.from(words).slice(0, 80).join('');
  return short.length < words.length ? `${short}…` : short;
}
