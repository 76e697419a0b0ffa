import type { z } from 'zod';
import { file } from '#lib/catalog/file-shape';
import { foldFields, rolesOf } from '#lib/catalog/fold-fields';
import type { PriceRule } from '#lib/contract/catalog-entry';

/** Schema of a catalog file; folds in the common fields and indexes fields by role. */
export const catalogFile = file.transform(file => {
  const fields = foldFields(file);
  const mentionable = (models: 'all' | string[]) => (models === 'all' ? file.model_ids : models);
  return {
    ...file,
    fields,
    /** Field names by role. */
    roles: rolesOf(fields),
    mentions: {
      ...file.mentions,
      characters: mentionable(file.mentions.characters),
      references: mentionable(file.mentions.references),
      audio_references: mentionable(file.mentions.audio_references),
    },
  };
});

/** An entry of the catalog: everything known about an architecture, with the names of its file and the wire. */
export type Architecture = Omit<z.output<typeof catalogFile>, 'price'> & {
  price: PriceRule;
  /** Variants that the preview engine serves. */
  preview_models?: string[];
};
