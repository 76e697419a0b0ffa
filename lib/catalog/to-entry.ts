import { defaultsOf } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { Field } from '#lib/catalog/file-shape';
import { MEDIA_PATTERN } from '#lib/catalog/check-field';
import { priceOf } from '#lib/catalog/price';
import type { CatalogEntry, InputSchema } from '#lib/contract/catalog-entry';

/** Returns an architecture as `GET /v1/architectures` shows it. */
export function toCatalogEntry(architecture: Architecture, baseUrl: string): CatalogEntry {
  const {
    id,
    name,
    type,
    description,
    fields,
    roles,
    mentions,
    price,
    opt_in,
    source_video,
    preview_models = [],
  } = architecture;
  const base_config = defaultsOf(architecture, architecture.default_model_id);
  return {
    id,
    name,
    type,
    description,
    ...(opt_in && { opt_in }),
    image_inputs: {
      first_frame: roles.first_frame ?? null,
      last_frame: roles.last_frame ?? null,
      references: roles.reference
        ? { field: roles.reference, additional_field: roles.additional_references ?? null }
        : null,
    },
    video_inputs: roles.source_video
      ? { field: roles.source_video, cardinality: fields[roles.source_video]?.type === 'array' ? 'list' : 'single' }
      : null,
    base_config,
    options: Object.fromEntries(
      Object.entries(fields).flatMap(([key, field]) => (field.enum ? [[key, field.enum]] : [])),
    ),
    options_by_model: architecture.options_by_model,
    mentions,
    max_images: architecture.max_images,
    max_images_by_model: architecture.max_images_by_model,
    input_schema: toInputSchema(name, fields, ['prompt', ...neededFields(architecture)]),
    gems: priceOf(architecture, base_config),
    generate_url: `${baseUrl}/v1/${id}/generate`,
    estimate_url: `${baseUrl}/v1/${id}/estimate`,
    mask_input: roles.mask ?? null,
    character_voices_switch: roles.character_voices ?? null,
    max_audio_references: mentions.max_audio_references,
    exclusive: architecture.exclusive,
    needs: architecture.needs,
    source_video,
    price,
    preview_models,
  };
}

/** Returns the required media fields. A reference image is not required if a mention can bring it. */
function neededFields({ needs, roles, mentions }: Architecture): string[] {
  const isMentionable = mentions.characters.length + mentions.references.length > 0;
  return (['first_frame', 'last_frame', 'reference', 'mask', 'source_video'] as const).flatMap(role =>
    needs[role] && !(role === 'reference' && isMentionable) ? (roles[role] ?? []) : [],
  );
}

/** Returns the JSON Schema of a body with these fields. */
export function toInputSchema(
  title: string,
  fields: Record<string, Field>,
  required: string[] = ['prompt'],
): InputSchema {
  const entries = Object.entries(fields).map(([key, field], order) => {
    const isNeeded = field.type === 'array' && required.includes(key);
    // an empty list counts as left out
    return [key, { ...toProperty(field, order), ...(isNeeded && { minItems: 1 }) }] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    type: 'object',
    properties: Object.fromEntries(entries),
    required,
    additionalProperties: true,
  };
}

function toProperty(field: Field, order: number): Record<string, unknown> {
  const { role: _role, media, nullable, type, ...keywords } = field;
  const placed = { type: nullable ? [type, 'null'] : type, ...keywords, 'x-order': order };
  if (!media) return type === 'array' ? toList(placed) : placed;
  const address = { pattern: MEDIA_PATTERN, 'x-media': media };
  return type === 'array'
    ? { ...placed, 'x-media': media, items: { type: 'string', ...address } }
    : { ...placed, ...address };
}

/** Returns the schema of a list of texts, with the limits of texts moved to the items. */
function toList({ minLength, maxLength, pattern, ...list }: Record<string, unknown>): Record<string, unknown> {
  const limits = Object.entries({ minLength, maxLength, pattern }).filter(([, limit]) => limit !== undefined);
  return { ...list, items: { type: 'string', ...Object.fromEntries(limits) } };
}
