import { catalogResponse } from '#lib/catalog/catalog-response';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Models that examples are written with, and the type of media that they make. */
const WRITTEN = { mango: 'image', seed_audio: 'audio' } as const;
type WrittenModel = keyof typeof WRITTEN;

type Ability = (model: CatalogEntry) => boolean;
const takesImage: Ability = ({ image_inputs }) => image_inputs.references?.field === 'image';
const knowsCharacters: Ability = ({ mentions, base_config }) =>
  mentions.characters.some(id => id === base_config.model_id);

/** What a model must support for the examples of these guides. */
const SHOWN: Record<string, Ability> = {
  uploads: takesImage,
  characters: knowsCharacters,
  client: model => takesImage(model) && knowsCharacters(model),
};

/** Returns the model for an example: the one that it is written with, or, if that is not served here, a similar one. */
export function exampleModel(written: WrittenModel = 'mango', guide = ''): CatalogEntry | undefined {
  const models = catalogResponse().body.architectures.filter(({ needs }) => Object.keys(needs).length === 0);
  const able = models.filter(SHOWN[guide] ?? (() => true));
  return [able, models]
    .flatMap(some => [
      some.find(({ id }) => id === written),
      some.find(({ type }) => type === WRITTEN[written]),
      some[0],
    ])
    .find(model => model !== undefined);
}

/** Replaces the models in an example's text with ones that this deployment serves. */
export const withExampleModel = (text: string, guide?: string): string =>
  text.replaceAll(/\b(mango|seed_audio)(-v3)?\b/g, (all, written: WrittenModel, version?: string) => {
    const model = exampleModel(written, guide);
    if (!model || model.id === written) return all;
    return version ? String(model.base_config.model_id) : model.id;
  });
