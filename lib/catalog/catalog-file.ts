import type { z } from 'zod';
import { file } from '#lib/catalog/file-shape';
import { foldFields, rolesOf } from '#lib/catalog/fold-fields';
import type { PriceRule } from '#lib/contract/catalog-entry';

/** Reads a catalog file: common fields folded in and indexed by their roles. */
export const catalogFile = file.transform(file => {
  const fields = foldFields(file);
  const mentionable = (models: 'all' | string[]) => (models === 'all' ? file.model_ids : models);
  return {
    ...file,
    fields,
    /** Field names by what they do. */
    roles: rolesOf(fields),
    mentions: {
      ...file.mentions,
      characters: mentionable(file.mentions.characters),
      references: mentionable(file.mentions.references),
      audio_references: mentionable(file.mentions.audio_references),
    },
  };
});

/** One entry of the catalog: everything the service knows about a model, spelled as its file and the wire spell it. */
export type Architecture = Omit<z.output<typeof catalogFile>, 'price'> & {
  price: PriceRule;
  /** Variants that the preview engine draws. */
  preview_models?: string[];
};
