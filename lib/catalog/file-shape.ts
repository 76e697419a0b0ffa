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

/** Paths under /v1 that an architecture's id would hide. */
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

/** What a field does. Code knows fields by their role, so an architecture may name them as it likes. */
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

/** One member of a generate body, in the words of JSON Schema. What a file leaves out comes from `COMMON_FIELDS`. */
export const field = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).optional(),
  /** null is accepted too, and is the default. */
  nullable: z.boolean().optional(),
  title: name.optional(),
  description: z.string().min(1).optional(),
  role: role.optional(),
  /** Set on fields that take a file: an https URL, an upload URL or a data URL (or a list of them). */
  media: mediaType.optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** Tokens. */
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
  /** The area that is asked for. `area`: side × side pixels. `short_side`: that of the ratio with a shorter side of `side`. */
  fit: z.enum(['area', 'short_side']),
  /** Pixels, or pixels for each resolution token. */
  side: z.union([z.int().positive(), z.record(z.string(), z.int().positive())]),
  /** Sides are multiples of this. */
  multiple: z.int().positive(),
  /** Width and height of all that the model can make, where that is not whatever fits the rest. */
  sizes: z
    .array(z.tuple([z.int().positive(), z.int().positive()]))
    .min(1)
    .optional(),
  fps: count.default(0),
  /** Fixed length in frames, for architectures without a duration. */
  frames: z.int().positive().optional(),
  /** Whether the output carries sound, where no field switches it. */
  sound: z.boolean().default(false),
});

/** The shape of `catalog/architectures/<id>.json`. One such file is all that a new architecture takes. */
export const file = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,62}$/, 'lowercase letters, digits, underscores and dashes')
    .refine(id => !RESERVED_IDS.includes(id), 'not the name of another path under /v1'),
  name,
  type: mediaType,
  description: z.string().min(1),
  /** Agents list it only when they are asked to. */
  opt_in: z.literal(true).optional(),
  state: z.enum(['live', 'retired']),
  /** Place in lists, lowest first; architectures of one place are sorted by name. */
  order: z.number().default(1000),
  model_ids: z.array(z.string().min(1)).min(1),
  default_model_id: z.string(),
  fields: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, 'lowercase letters, digits and underscores'), field),
  options_by_model: optionsByModel.default({}),
  /** Which variants take which mentions: `"all"` or model ids. */
  mentions: z
    .strictObject({
      characters: mentionable,
      references: mentionable,
      audio_references: mentionable,
      max_audio_references: count.default(0),
      character_voices: z.boolean().default(false),
    })
    .prefault({}),
  /** Most reference images, of fields and mentions together; first and last frames do not count. */
  max_images: count.default(0),
  max_images_by_model: maxImagesByModel.default({}),
  exclusive: exclusiveMedia.default([]),
  /** What nothing can be made without: refused at submit. */
  needs: neededMedia.default({}),
  source_video: sourceVideo.nullable().default(null),
  /** How large pictures and films are; null for sound. */
  output: output.nullable().default(null),
  price: filePriceRule,
});

export type CatalogFile = z.output<typeof file>;
export type FileField = z.output<typeof field>;
export type FieldRole = z.output<typeof role>;

/** A field with everything folded in. */
export type Field = FileField & Required<Pick<FileField, 'type' | 'title' | 'description'>>;
