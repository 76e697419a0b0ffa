import { defaultsOf } from '#lib/catalog/architecture';
import type { Architecture, Field, FieldRole, Token } from '#lib/catalog/architecture';
import { checkField, pointer } from '#lib/catalog/check-field';
import type { Issue } from '#lib/errors';

/** What the shape of a catalog file cannot say: that its parts fit each other. Paths point into the file. */
export function checkArchitecture(architecture: Architecture): Issue[] {
  return [fields, models, options, output, media, price].flatMap(check => check(architecture));
}

const issue = (message: string, ...steps: (string | number)[]): Issue => ({
  path: steps.map(step => pointer(String(step))).join(''),
  message,
});

/** What a field of each role has to be for the code that reads it. */
const ROLE_SHAPES: Record<FieldRole, [what: string, fits: (field: Field) => boolean]> = {
  first_frame: ['an image', field => field.media === 'image' && field.type === 'string'],
  last_frame: ['an image', field => field.media === 'image' && field.type === 'string'],
  reference: ['an image', field => field.media === 'image' && field.type === 'string'],
  additional_references: ['a list of images', field => field.media === 'image' && field.type === 'array'],
  source_video: ['a video or a list of videos', field => field.media === 'video'],
  aspect_ratio: ['tokens of the form width:height', field => hasTokens(field, /^[1-9]\d{0,2}:[1-9]\d{0,2}$/)],
  resolution: ['tokens', field => hasTokens(field, /./)],
  duration: ['string tokens of whole seconds', field => field.type === 'string' && hasTokens(field, /^[1-9]\d{0,3}$/)],
  sound: ['a boolean', field => field.type === 'boolean'],
  sample_rate: ['number tokens', field => field.type === 'number' && hasTokens(field, /^\d+$/)],
  character_voices: ['a boolean', field => field.type === 'boolean'],
};

const hasTokens = (field: Field, form: RegExp) => field.enum?.every(token => form.test(String(token))) ?? false;

function fields({ fields, roles }: Architecture): Issue[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const place = ['fields', name];
    if (!field.type || !field.description) {
      return [issue('is no common field, so it needs a type and a description', ...place)];
    }
    const issues: Issue[] = [];
    if (field.role) {
      const [shape, fits] = ROLE_SHAPES[field.role];
      if (!fits(field)) issues.push(issue(`a field of the role ${field.role} must be ${shape}`, ...place));
      if (roles[field.role] !== name) issues.push(issue(`${roles[field.role]} has the same role`, ...place));
    } else if (field.media || field.type === 'array') issues.push(issue('a media field needs a role', ...place));
    if (field.enum?.some(token => typeof token !== field.type))
      issues.push(issue(`is no list of ${field.type}s`, ...place, 'enum'));
    if (field.default !== undefined) {
      issues.push(...checkField(name, field, field.default).map(({ message }) => issue(message, ...place, 'default')));
    } else if (name !== 'prompt' && !field.media && !field.nullable) {
      issues.push(issue('needs a default', ...place));
    }
    return issues;
  });
}

function models({ modelIds, ...architecture }: Architecture): Issue[] {
  const named: [string, string[]][] = [
    ['mentions/characters', architecture.mentions.characters],
    ['mentions/references', architecture.mentions.references],
    ['mentions/audio_references', architecture.mentions.audioReferences],
    ['max_images_by_model', Object.keys(architecture.maxImagesByModel)],
    ['source_video/seconds_by_model', Object.keys(architecture.sourceVideo?.secondsByModel ?? {})],
    ['source_video/models', architecture.sourceVideo?.models ?? []],
    ...Object.entries(architecture.optionsByModel).map(([field, byModel]): [string, string[]] => [
      `options_by_model/${field}`,
      Object.keys(byModel),
    ]),
  ];
  return named.flatMap(([place, ids]) =>
    ids.filter(id => !modelIds.includes(id)).map(id => issue(`${id} is not one of model_ids`, ...place.split('/'))),
  );
}

function options(architecture: Architecture): Issue[] {
  const { fields, optionsByModel, defaultModelId } = architecture;
  const defaults = defaultsOf(architecture, defaultModelId);
  return Object.entries(optionsByModel).flatMap(([name, byModel]) => {
    const field = fields[name];
    if (!field?.enum) return [issue('is not a field with tokens', 'options_by_model', name)];
    const known: Token[] = field.enum;
    const issues = Object.entries(byModel).flatMap(([model, tokens]) =>
      tokens
        .filter(token => !known.includes(token))
        .map(token => issue(`${token} is not a token of the field`, 'options_by_model', name, model)),
    );
    if (defaults[name] !== field.default)
      issues.push(issue('the default variant must accept it', 'fields', name, 'default'));
    return issues;
  });
}

function output({ type, output, fields, roles }: Architecture): Issue[] {
  if (type === 'audio') return roles.duration ? [] : [issue('audio needs a field of the role duration', 'fields')];
  if (!output) return [issue(`needed for ${type}`, 'output')];
  const issues: Issue[] = [];
  if (!roles.aspect_ratio) issues.push(issue(`${type} needs a field of the role aspect_ratio`, 'fields'));
  if (typeof output.side !== 'number') {
    const { side } = output;
    const tokens = fields[roles.resolution ?? '']?.enum;
    if (!tokens) issues.push(issue('pixels by token need a field of the role resolution', 'output', 'side'));
    for (const token of tokens ?? []) {
      if (!Object.hasOwn(side, token)) issues.push(issue(`no pixels for ${token}`, 'output', 'side'));
    }
  }
  if (type === 'video' && output.fps < 1) issues.push(issue('video needs frames per second', 'output', 'fps'));
  if (type === 'video' && !output.frames && !roles.duration) {
    issues.push(issue('video without a field of the role duration needs a fixed number of frames', 'output', 'frames'));
  }
  return issues;
}

function media({ roles, sourceVideo, maxImages }: Architecture): Issue[] {
  const issues: Issue[] = [];
  if (Boolean(roles.source_video) !== Boolean(sourceVideo)) {
    issues.push(issue('goes together with a field of the role source_video', 'source_video'));
  }
  if (roles.reference && maxImages === 0) issues.push(issue('0 although there is a reference field', 'max_images'));
  return issues;
}

function price({ price, fields }: Architecture): Issue[] {
  const issues = Object.entries(price.factors).flatMap(([name, factors]) => {
    const field = fields[name];
    if (!field?.enum) return [issue('is not a field with tokens', 'price', 'factors', name)];
    const missing = field.enum.filter(token => !Object.hasOwn(factors, token));
    return [
      ...missing.map(token => issue(`no factor for ${token}`, 'price', 'factors', name)),
      ...(factors[String(field.default)] === 1
        ? []
        : [issue('the default token needs factor 1', 'price', 'factors', name)]),
    ];
  });
  const { seconds } = price;
  if (seconds && Number(fields[seconds.field]?.default) !== seconds.base) {
    issues.push(issue(`must be the default of ${seconds.field}`, 'price', 'seconds', 'base'));
  }
  return issues;
}
