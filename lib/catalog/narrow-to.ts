import { defaultsOf, MENTION_KINDS, tokensOf } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';

/** Returns an architecture restricted to some variants, so that its fields and limits are those of these variants. */
export function narrowTo(architecture: Architecture, model_ids: string[]): Architecture {
  const { mentions } = architecture;
  const [first] = model_ids;
  if (first === undefined) return { ...architecture, model_ids };
  if (model_ids.length === architecture.model_ids.length) return architecture;
  const default_model_id = model_ids.find(model => model === architecture.default_model_id) ?? first;
  const mentionable = MENTION_KINDS.map(kind => [kind, mentions[kind].filter(model => model_ids.includes(model))]);
  const { roles, source_video } = sourceVideoOf(architecture, model_ids);
  const images = imagesOf(architecture, model_ids);
  const fields = fieldsOf({ ...architecture, ...images, roles }, model_ids, default_model_id);
  return {
    ...architecture,
    model_ids,
    default_model_id,
    fields,
    roles,
    source_video,
    options_by_model: optionsOf(architecture, fields, model_ids),
    ...images,
    mentions: { ...mentions, ...Object.fromEntries(mentionable) },
  };
}

const only = <T>(model_ids: readonly string[], byModel: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(byModel).filter(([model]) => model_ids.includes(model)));

/** Returns the image limit of the variants, and the exceptions with a lower one. */
function imagesOf(
  { max_images: most, max_images_by_model: byModel }: Architecture,
  model_ids: string[],
): Pick<Architecture, 'max_images' | 'max_images_by_model'> {
  const max_images = Math.max(...model_ids.map(model => byModel[model] ?? most));
  const fewer = Object.entries(only(model_ids, byModel)).filter(([, images]) => images < max_images);
  return { max_images, max_images_by_model: Object.fromEntries(fewer) };
}

/** Returns the rule of source videos, with the role, if any of the variants takes one. */
function sourceVideoOf({ roles, source_video }: Architecture, model_ids: string[]) {
  if (!source_video) return { roles, source_video };
  const { models, seconds_by_model } = source_video;
  const taking = models?.filter(model => model_ids.includes(model));
  const { source_video: _role, ...others } = roles;
  if (taking?.length === 0) return { roles: others, source_video: null };
  return {
    roles,
    source_video: {
      ...source_video,
      ...(taking && { models: taking }),
      seconds_by_model: only(model_ids, seconds_by_model),
    },
  };
}

/** Returns the fields with the tokens that any of the variants accepts, and the defaults of the default variant. */
function fieldsOf(architecture: Architecture, model_ids: string[], default_model_id: string): Architecture['fields'] {
  const defaults = defaultsOf(architecture, default_model_id);
  const { roles, max_images } = architecture;
  const fields = Object.entries(architecture.fields).flatMap(([name, field]) => {
    if (field.role === 'source_video' && !roles.source_video) return [];
    if (name === 'model_id') return [[name, { ...field, enum: model_ids, default: default_model_id }]];
    const taken = new Set(model_ids.flatMap(model => tokensOf(architecture, name, model) ?? []));
    return [
      [
        name,
        {
          ...field,
          ...(field.enum && { enum: field.enum.filter(token => taken.has(token)) }),
          ...(field.role === 'additional_references' && {
            maxItems: Math.min(field.maxItems ?? max_images, max_images),
          }),
          ...(field.default !== undefined && { default: defaults[name] }),
        },
      ],
    ];
  });
  return Object.fromEntries(fields) as Architecture['fields'];
}

/** Returns the exceptions of variants that accept fewer tokens than others. */
function optionsOf(
  { options_by_model }: Architecture,
  fields: Architecture['fields'],
  model_ids: string[],
): Architecture['options_by_model'] {
  const narrower = Object.entries(only(model_ids, options_by_model)).map(([model, options]) => {
    const lists = Object.entries(options).filter(([name, tokens]) => tokens.length < (fields[name]?.enum?.length ?? 0));
    return [model, Object.fromEntries(lists)] as const;
  });
  return Object.fromEntries(narrower.filter(([, options]) => Object.keys(options).length > 0));
}
