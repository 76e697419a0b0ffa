import { RECIPE } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

/** Returns a recipe in the shape of an architecture, for the form: it has inputs, but no variants or media roles. */
export function toFormEntry(recipe: RecipeWire): CatalogEntry {
  const { id, name, description, input_schema, base_config, gems, steps, run_url, estimate_url } = recipe;
  const options = Object.entries(input_schema.properties).flatMap(([key, property]) =>
    Array.isArray(property.enum) ? [[key, property.enum as string[]] as const] : [],
  );
  return {
    id: RECIPE + id,
    name,
    description,
    type: steps.at(-1)!.type,
    input_schema,
    base_config,
    gems,
    options: Object.fromEntries(options),
    options_by_model: {},
    image_inputs: { first_frame: null, last_frame: null, references: null },
    video_inputs: null,
    mask_input: null,
    mentions: {
      characters: [],
      references: [],
      audio_references: [],
      max_audio_references: 0,
      character_voices: false,
    },
    max_images: 0,
    max_images_by_model: {},
    max_audio_references: 0,
    character_voices_switch: null,
    exclusive: [],
    needs: {},
    source_video: null,
    price: { gems: Math.max(1, gems), factors: {} },
    preview_models: [],
    generate_url: run_url,
    estimate_url,
  };
}
