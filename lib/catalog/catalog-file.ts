import { z } from 'zod';
import type { Architecture, Field } from '#lib/catalog/architecture';
import { checkArchitecture } from '#lib/catalog/check-architecture';
import { pointer } from '#lib/catalog/check-field';
import { COMMON_FIELDS } from '#lib/catalog/common-fields';
import type { Issue } from '#lib/errors';

/** Paths under /v1 that an architecture's id would hide. */
const RESERVED_IDS = ['architectures', 'requests', 'account', 'uploads', 'characters', 'references', 'openapi.json'];

const name = z.string().min(1).max(80);
const fieldName = z.string().regex(/^[a-z][a-z0-9_]*$/, 'lowercase letters, digits and underscores');
const count = z.int().min(0);
const token = z.union([z.string(), z.number()]);
const seconds = z.tuple([z.number().positive(), z.number().positive()]);
const mentionable = z.union([z.literal('all'), z.array(z.string())]);

/** A field as its file writes it: what it leaves out comes from `COMMON_FIELDS`. */
const field = z.strictObject({
  type: z.enum(['string', 'number', 'boolean', 'array']).optional(),
  title: name.optional(),
  description: z.string().min(1).optional(),
  role: z
    .enum([
      'first_frame',
      'last_frame',
      'reference',
      'additional_references',
      'source_video',
      'aspect_ratio',
      'resolution',
      'duration',
      'sound',
      'sample_rate',
      'character_voices',
    ])
    .optional(),
  media: z.enum(['image', 'video', 'audio']).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(token).min(1).optional(),
  examples: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  multipleOf: z.literal(1).optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  maxItems: count.optional(),
});

/** The shape of `catalog/architectures/<id>.json`. One such file is all that a new architecture takes. */
export const CatalogFile = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,62}$/, 'lowercase letters, digits, underscores and dashes')
    .refine(id => !RESERVED_IDS.includes(id), 'not the name of another path under /v1'),
  name,
  type: z.enum(['image', 'video', 'audio']),
  description: z.string().min(1),
  state: z.enum(['live', 'retired']),
  /** Place in lists, lowest first; architectures of one place are sorted by name. */
  order: z.number().default(1000),
  model_ids: z.array(z.string().min(1)).min(1),
  default_model_id: z.string(),
  fields: z.record(fieldName, field),
  /** Field → model id → tokens, where a variant accepts fewer than the field's own. */
  options_by_model: z.record(z.string(), z.record(z.string(), z.array(token).min(1))).default({}),
  /** Which variants take which mentions: `"all"` or model ids. */
  mentions: z
    .strictObject({
      characters: mentionable.default([]),
      references: mentionable.default([]),
      audio_references: mentionable.default([]),
      character_voices: z.boolean().default(false),
    })
    .prefault({}),
  max_images: count.default(0),
  max_images_by_model: z.record(z.string(), count).default({}),
  max_audio_references: count.default(0),
  /** Groups of media that exclude each other within one request. */
  exclusive: z.array(z.array(z.enum(['first_frame', 'last_frame', 'reference', 'audio_reference'])).min(1)).default([]),
  source_video: z
    .strictObject({
      seconds,
      seconds_by_model: z.record(z.string(), seconds).default({}),
      models: z.array(z.string()).min(1).optional(),
      max_images: count.optional(),
      max_total_seconds: z.number().positive().optional(),
      output_follows: z.boolean().default(false),
    })
    .optional(),
  output: z
    .strictObject({
      fit: z.enum(['area', 'short_side']),
      side: z.union([z.int().positive(), z.record(z.string(), z.int().positive())]),
      multiple: z.int().positive(),
      fps: count.default(0),
      frames: z.int().positive().optional(),
      sound: z.boolean().default(false),
    })
    .optional(),
  price: z.strictObject({
    gems: z.int().min(1),
    factors: z.record(z.string(), z.record(z.string(), z.number().positive())).default({}),
    seconds: z
      .strictObject({
        field: z.string(),
        base: z.number().positive(),
        source: z.enum(['added', 'instead']).optional(),
      })
      .optional(),
  }),
});

type File = z.output<typeof CatalogFile>;
export type CheckedFile = { architecture: Architecture; issues: [] } | { architecture: null; issues: Issue[] };

/** Reads the JSON of one catalog file: the architecture, or everything that is wrong with it, by JSON pointer. */
export function validateCatalogFile(json: unknown): CheckedFile {
  const parsed = CatalogFile.safeParse(json);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: path.map(step => pointer(String(step))).join(''),
      message,
    }));
    return { architecture: null, issues };
  }
  const architecture = toArchitecture(parsed.data);
  const issues = checkArchitecture(architecture);
  return issues.length ? { architecture: null, issues } : { architecture, issues: [] };
}

function toArchitecture(file: File): Architecture {
  const fields = orderedFields(file);
  const modelsOf = (models: 'all' | string[]) => (models === 'all' ? file.model_ids : models);
  const { source_video: video, mentions } = file;
  return {
    id: file.id,
    name: file.name,
    type: file.type,
    description: file.description,
    state: file.state,
    order: file.order,
    modelIds: file.model_ids,
    defaultModelId: file.default_model_id,
    fields,
    roles: Object.fromEntries(Object.entries(fields).flatMap(([key, { role }]) => (role ? [[role, key]] : []))),
    optionsByModel: file.options_by_model,
    mentions: {
      characters: modelsOf(mentions.characters),
      references: modelsOf(mentions.references),
      audioReferences: modelsOf(mentions.audio_references),
      characterVoices: mentions.character_voices,
    },
    maxImages: file.max_images,
    maxImagesByModel: file.max_images_by_model,
    maxAudioReferences: file.max_audio_references,
    exclusive: file.exclusive,
    sourceVideo: video
      ? {
          seconds: video.seconds,
          secondsByModel: video.seconds_by_model,
          models: video.models,
          maxImages: video.max_images,
          maxTotalSeconds: video.max_total_seconds,
          outputFollows: video.output_follows,
        }
      : null,
    output: file.output ?? null,
    price: file.price,
  };
}

/** Every field with the common table folded in, in the order in which a form asks for them. */
function orderedFields(file: File): Record<string, Field> {
  const model = { enum: file.model_ids, default: file.default_model_id };
  const largest = Math.max(file.max_images, ...Object.values(file.max_images_by_model));
  const written = {
    prompt: {},
    ...file.fields,
    model_id: { ...file.fields.model_id, ...model },
    seed: { ...file.fields.seed },
  };
  const fields = Object.entries(written).map(([key, own]): [string, Partial<Field>] => {
    const whole: Partial<Field> = { title: titleOf(key), ...COMMON_FIELDS[key], ...own };
    if (whole.role === 'additional_references') whole.maxItems ??= largest;
    return [key, whole];
  });
  // a field without a type or a description is reported by checkArchitecture
  return Object.fromEntries(fields.sort((a, b) => rank(...a) - rank(...b))) as Record<string, Field>;
}

const RANKS = ['prompt', 'media', 'model_id', 'aspect_ratio', 'resolution', 'duration', 'other', 'seed'];
const rank = (key: string, { media, role }: Partial<Field>) =>
  RANKS.indexOf([media ? 'media' : key, role ?? ''].find(word => RANKS.includes(word)) ?? 'other');

const titleOf = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ');
