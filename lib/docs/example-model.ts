import { catalogResponse } from '#lib/catalog/catalog-response';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** The models that examples are written with, and what they make. */
const WRITTEN = { mango: 'image', seed_audio: 'audio' } as const;
type WrittenModel = keyof typeof WRITTEN;

type Ability = (model: CatalogEntry) => boolean;
const takesImage: Ability = ({ image_inputs }) => image_inputs.references?.field === 'image';
const knowsCharacters: Ability = ({ mentions, base_config }) =>
  mentions.characters.some(id => id === base_config.model_id);

/** What these guides show beside a prompt. */
const SHOWN: Record<string, Ability> = {
  uploads: takesImage,
  characters: knowsCharacters,
  client: model => takesImage(model) && knowsCharacters(model),
};

/** The model for an example: the one that it is written with, or where nobody makes that here, one that can do as much. */
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

/** Text of an example with what this deployment makes in the place of what it is written with. */
export const withExampleModel = (text: string, guide?: string): string =>
  text.replaceAll(/\b(mango|seed_audio)(-v3)?\b/g, (all, written: WrittenModel, version?: string) => {
    const model = exampleModel(written, guide);
    if (!model || model.id === written) return all;
    return version ? String(model.base_config.model_id) : model.id;
  });
