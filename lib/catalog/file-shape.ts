import { z } from 'zod';
import {
  exclusiveMedia,
  filePriceRule,
  maxImagesByModel,
  neededMedia,
  optionsByModel,
  sourceVideo,
} from '#lib/contract/catalog-entry';
import { mediaType } from '#lib/contract/schemas';

/** Paths under /v1 that would be hidden by an architecture with the same id. */
export const RESERVED_IDS = [
  'architectures',
  'requests',
  'account',
  'uploads',
  'characters',
  'references',
  'webhooks',
  'recipes',
  'openapi.json',
];

export const name = z.string().min(1).max(80);
const count = z.int().min(0);
const mentionable = z.union([z.literal('all'), z.array(z.string())]).default([]);

/** Role of a field. Code finds fields by role, so an architecture may name them freely. */
const role = z.enum([
  'first_frame',
  'last_frame',
  'reference',
  'additional_references',
  'mask',
  'source_video',
  'aspect_ratio',
  'resolution',
  'duration',
  'sound',
  'sample_rate',
  'character_voices',
]);

/** A member of a generate body, in terms of JSON Schema. Members left out come from `COMMON_FIELDS`. */
export const field = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).optional(),
  /** Whether null is accepted too, and is the default. */
  nullable: z.boolean().optional(),
  title: name.optional(),
  description: z.string().min(1).optional(),
  role: role.optional(),
  /** Media type of a field that takes a file, or a list of them: an https URL, an upload URL or a data URL. */
  media: mediaType.optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** Accepted tokens. */
  enum: z.array(z.string()).min(1).optional(),
  examples: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  /** 1 for whole numbers. */
  multipleOf: z.literal(1).optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  pattern: z.string().optional(),
  maxItems: count.optional(),
});

const output = z.strictObject({
  /** Approximate area: `area` is that of a square of `side`, `short_side` that of the ratio with this shorter side. */
  fit: z.enum(['area', 'short_side']),
  /** Side in pixels, or in pixels for each resolution token. */
  side: z.union([z.int().positive(), z.record(z.string(), z.int().positive())]),
  /** Number of which width and height are multiples. */
  multiple: z.int().positive(),
  /** Sizes that the model can make, as width and height, where not every size is possible. */
  sizes: z
    .array(z.tuple([z.int().positive(), z.int().positive()]))
    .min(1)
    .optional(),
  fps: count.default(0),
  /** Fixed length in frames, for architectures without a duration. */
  frames: z.int().positive().optional(),
  /** Whether the output has sound, where no field decides that. */
  sound: z.boolean().default(false),
});

/** Schema of `catalog/architectures/<id>.json`. A new architecture needs nothing but such a file. */
export const file = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,62}$/, 'lowercase letters, digits, underscores and dashes')
    .refine(id => !RESERVED_IDS.includes(id), 'not the name of another path under /v1'),
  name,
  type: mediaType,
  description: z.string().min(1),
  /** Whether agents list the architecture only on request. */
  opt_in: z.literal(true).optional(),
  state: z.enum(['live', 'retired']),
  /** Position in lists, lowest first; equal positions are sorted by name. */
  order: z.number().default(1000),
  model_ids: z.array(z.string().min(1)).min(1),
  default_model_id: z.string(),
  fields: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, 'lowercase letters, digits and underscores'), field),
  options_by_model: optionsByModel.default({}),
  /** Variants that accept mentions, by kind: `"all"` or model ids. */
  mentions: z
    .strictObject({
      characters: mentionable,
      references: mentionable,
      audio_references: mentionable,
      max_audio_references: count.default(0),
      character_voices: z.boolean().default(false),
    })
    .prefault({}),
  /** Maximum number of reference images, of fields and mentions together; first and last frames do not count. */
  max_images: count.default(0),
  max_images_by_model: maxImagesByModel.default({}),
  exclusive: exclusiveMedia.default([]),
  /** Required media; requests without them are refused at submit. */
  needs: neededMedia.default({}),
  source_video: sourceVideo.nullable().default(null),
  /** Size of images and videos; null for audio. */
  output: output.nullable().default(null),
  price: filePriceRule,
});

export type CatalogFile = z.output<typeof file>;
export type FileField = z.output<typeof field>;
export type FieldRole = z.output<typeof role>;

/** A field with the common definitions folded in. */
export type Field = FileField & Required<Pick<FileField, 'type' | 'title' | 'description'>>;
