import { defaultsOf } from '#lib/catalog/architecture';
import type { Architecture, Field, Token } from '#lib/catalog/architecture';
import { MEDIA_PATTERN } from '#lib/catalog/check-field';
import type { PriceRule } from '#lib/catalog/price';

/** An architecture as `GET /v1/architectures` shows it. */
export interface CatalogEntry {
  id: string;
  name: string;
  type: Architecture['type'];
  description: string;
  image_inputs: {
    first_frame: string | null;
    last_frame: string | null;
    references: { field: string; additional_field: string | null } | null;
  };
  video_inputs: { field: string; cardinality: 'single' | 'list' } | null;
  base_config: Record<string, string | number | boolean>;
  options: Record<string, Token[]>;
  options_by_model: Record<string, Record<string, Token[]>>;
  input_schema: InputSchema;
  gems: number;
  generate_url: string;
  estimate_url: string;
  character_voices_switch: string | null;
  mentions: {
    characters?: 'all' | string[];
    references?: 'all' | string[];
    audio_references?: 'all' | string[];
    character_voices?: true;
  };
  max_images: number;
  max_images_by_model: Record<string, number>;
  max_audio_references: number;
  exclusive: string[][];
  source_video: {
    seconds: [number, number];
    seconds_by_model: Record<string, [number, number]>;
    models?: string[];
    max_images?: number;
    max_total_seconds?: number;
    output_follows: boolean;
  } | null;
  price: PriceRule;
}

/** A generate body as JSON Schema 2020-12. `x-media` marks fields that take a file, `x-order` is the place in a form. */
export interface InputSchema {
  $schema: 'https://json-schema.org/draft/2020-12/schema';
  title: string;
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: true;
}

export function toCatalogEntry(architecture: Architecture, baseUrl: string): CatalogEntry {
  const { id, name, type, description, fields, roles, price, sourceVideo } = architecture;
  const entries = Object.entries(fields);
  return {
    id,
    name,
    type,
    description,
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
    base_config: defaultsOf(architecture, architecture.defaultModelId),
    options: Object.fromEntries(entries.flatMap(([key, field]) => (field.enum ? [[key, field.enum]] : []))),
    options_by_model: architecture.optionsByModel,
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: name,
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, field], order) => [key, toProperty(field, order)])),
      required: ['prompt'],
      additionalProperties: true,
    },
    gems: price.gems,
    generate_url: `${baseUrl}/v1/${id}/generate`,
    estimate_url: `${baseUrl}/v1/${id}/estimate`,
    character_voices_switch: roles.character_voices ?? null,
    mentions: mentionsOf(architecture),
    max_images: architecture.maxImages,
    max_images_by_model: architecture.maxImagesByModel,
    max_audio_references: architecture.maxAudioReferences,
    exclusive: architecture.exclusive,
    source_video: sourceVideo && {
      seconds: sourceVideo.seconds,
      seconds_by_model: sourceVideo.secondsByModel,
      ...(sourceVideo.models && { models: sourceVideo.models }),
      ...(sourceVideo.maxImages !== undefined && { max_images: sourceVideo.maxImages }),
      ...(sourceVideo.maxTotalSeconds !== undefined && { max_total_seconds: sourceVideo.maxTotalSeconds }),
      output_follows: sourceVideo.outputFollows,
    },
    price,
  };
}

function toProperty(field: Field, order: number): Record<string, unknown> {
  const { role: _role, media, nullable, type, ...keywords } = field;
  const placed = { type: nullable ? [type, 'null'] : type, ...keywords, 'x-order': order };
  if (!media) return placed;
  const address = { pattern: MEDIA_PATTERN, 'x-media': media };
  return type === 'array'
    ? { ...placed, 'x-media': media, items: { type: 'string', ...address } }
    : { ...placed, ...address };
}

function mentionsOf({ mentions, modelIds }: Architecture): CatalogEntry['mentions'] {
  const models = (ids: string[]) => (modelIds.every(id => ids.includes(id)) ? ('all' as const) : ids);
  return {
    ...(mentions.characters.length && { characters: models(mentions.characters) }),
    ...(mentions.references.length && { references: models(mentions.references) }),
    ...(mentions.audioReferences.length && { audio_references: models(mentions.audioReferences) }),
    ...(mentions.characterVoices && { character_voices: true as const }),
  };
}
