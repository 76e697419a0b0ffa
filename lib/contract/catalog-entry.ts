import { z } from 'zod';
import { added, mediaType } from '#lib/contract/schemas';
import { count } from '#lib/contract/values';

// An architecture as `GET /v1/architectures` returns it. Parts that its catalog file shares have the same names there
// and are built from the same schemas.

const modelId = z.string();
const seconds = z.tuple([z.number().positive(), z.number().positive()]).meta({
  description: 'Minimum and maximum, inclusive, with a tolerance of a tenth of a second',
});

/** Model id → field → the tokens that this variant accepts, where they are fewer than the field's own. */
export const optionsByModel = z.record(modelId, z.record(z.string(), z.array(z.string()).min(1)));

export const maxImagesByModel = z.record(modelId, count);

/** Groups of input media, only one of which a request may use; `audio_reference` comes from mentions only. */
export const exclusiveMedia = z.array(
  z.array(z.enum(['first_frame', 'last_frame', 'reference', 'audio_reference'])).min(1),
);

/** Input media → minimum number that a request must bring, in fields or by mentions. */
export const neededMedia = z.partialRecord(
  z.enum(['first_frame', 'last_frame', 'reference', 'mask', 'audio_reference', 'source_video']),
  z.int().min(1),
);

/** What a source video may be, and what it changes. */
export const sourceVideo = z.strictObject({
  seconds,
  seconds_by_model: z.record(modelId, seconds).default({}),
  models: z
    .array(modelId)
    .min(1)
    .optional()
    .meta({ description: 'The variants that take one; every variant by default' }),
  max_images: count.optional().meta({ description: 'Most reference images together with a source video' }),
  max_total_seconds: z
    .number()
    .positive()
    .optional()
    .meta({ description: 'Most seconds of source video and duration combined' }),
  output_follows: z.boolean().default(false).meta({
    description: 'The output has the length and shape of the source video, whatever duration and aspect ratio say',
  }),
});

/** How the price follows from a config, as a catalog file states it; `priceOf` computes it. */
export const filePriceRule = z.strictObject({
  gems: z.int().min(1).meta({ description: 'Price when every factor is 1, for the seconds of base' }),
  factors: z
    .record(z.string(), z.record(z.string(), z.number().positive()))
    .default({})
    .meta({ description: 'For each field that scales the price: the factor of each token; 1 for the default token' }),
  seconds: z
    .strictObject({
      field: z.string().meta({ description: 'The field whose token is the number of seconds' }),
      base: z.number().positive().meta({ description: 'The seconds that gems pays for' }),
      source: z.enum(['added', 'instead']).optional().meta({
        description:
          'Whether the seconds of a source video count in addition to the field or instead of it; not at all by default',
      }),
    })
    .optional()
    .meta({ description: 'Present if the price grows with the seconds generated' }),
});

/** The price rule of a file, with the operator's price for previews. */
const priceRule = filePriceRule.extend({
  previews: z
    .strictObject({ model_ids: z.array(modelId), gems: z.int().min(1) })
    .optional()
    .meta({ description: 'Variants that the preview engine draws, and their fixed price' }),
});

const mentions = z.object({
  characters: z.array(modelId).meta({
    description:
      'Model ids whose prompts may mention any character; with others, only one that has a voice, if character_voices is true',
  }),
  references: z.array(modelId).meta({ description: 'Model ids whose prompts may mention references with an image' }),
  audio_references: z.array(modelId).meta({ description: 'Model ids whose prompts may mention audio references' }),
  max_audio_references: count.meta({ description: 'Most audio clips of one request, including voices' }),
  character_voices: z.boolean().meta({
    description: 'Whether the voice of a mentioned character is sent, unless character_voices_switch turns that off',
  }),
});

const field = z.string().meta({ description: 'Name of a config field' });

/**
 * A generate body as JSON Schema 2020-12. `x-media` marks fields that take a file, `x-order` the order in a form.
 * `additionalProperties` is not described: generated Python clients have a member of that name for themselves.
 */
export const inputSchema = z.looseObject({
  $schema: z.literal('https://json-schema.org/draft/2020-12/schema'),
  title: z.string(),
  type: z.literal('object'),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()),
});

export const catalogEntry = z
  .object({
    id: z.string(),
    name: z.string(),
    type: mediaType,
    description: z.string(),
    opt_in: added(z.literal(true).optional()).meta({
      description: 'Present if the operator offers it only to those who ask for it; agents do not list it by default',
    }),
    image_inputs: z.object({
      first_frame: field.nullable(),
      last_frame: field.nullable(),
      references: z.object({ field, additional_field: field.nullable() }).nullable(),
    }),
    video_inputs: z.object({ field, cardinality: added(z.enum(['single', 'list'])) }).nullable(),
    base_config: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'The default of every field that has one' }),
    options: z
      .record(z.string(), z.array(z.string()))
      .meta({ description: 'The tokens of each adjustable field, across all variants' }),
    options_by_model: optionsByModel.meta({
      description: 'By model id and field: the tokens of a variant that has fewer than options lists',
    }),
    mentions,
    max_images: count.meta({
      description: 'Most reference images of one request, from fields, characters and references together',
    }),
    max_images_by_model: maxImagesByModel.meta({ description: 'max_images by model id, where variants differ' }),
    input_schema: inputSchema.meta({ description: 'The body of generate as JSON Schema 2020-12' }),
    gems: z.int().min(1).meta({ description: 'Price of the default config' }),
    generate_url: z.url(),
    estimate_url: added(z.url()),
    mask_input: added(field.nullable()).meta({
      description: 'The field for a mask: an image that is white where something is to change',
    }),
    character_voices_switch: added(field.nullable()).meta({ description: 'The field that turns character voices off' }),
    max_audio_references: added(count).meta({ description: 'The same as in mentions' }),
    exclusive: added(exclusiveMedia).meta({
      description: 'Groups of media, only one of which a request may use',
    }),
    needs: added(neededMedia).meta({
      description: 'Media that a request must have, and how many of each; empty if a prompt is enough',
    }),
    source_video: added(sourceVideo.nullable()),
    price: added(priceRule).meta({
      description:
        'How the price follows from a config: gems × the factor of each field × seconds / base, rounded to the nearest whole number, halves up, at least 1',
    }),
    preview_models: added(z.array(modelId)).meta({
      description: 'Variants that no engine of this deployment makes; the preview engine draws a sketch instead',
    }),
  })
  .meta({ id: 'Architecture' });

export const architectureList = z.object({ architectures: z.array(catalogEntry) }).meta({ id: 'ArchitectureList' });

export type CatalogEntry = z.output<typeof catalogEntry>;
export type InputSchema = z.output<typeof inputSchema>;
export type PriceRule = z.output<typeof priceRule>;
export type OptionsByModel = z.output<typeof optionsByModel>;
export type NeededMedia = z.output<typeof neededMedia>;
export type ExclusiveRole = z.output<typeof exclusiveMedia>[number][number];
