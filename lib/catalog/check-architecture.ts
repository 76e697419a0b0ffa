import { defaultsOf } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { Field, FieldRole } from '#lib/catalog/file-shape';
import { checkField } from '#lib/catalog/check-field';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** Returns issues that the schema of a catalog file cannot express: parts that do not fit. Paths point into it. */
export function checkArchitecture(architecture: Architecture): Issue[] {
  return [fields, models, options, output, media, price].flatMap(check => check(architecture));
}

const issue = (message: string, ...steps: string[]): Issue => ({ path: pointer(...steps), message });

/** Shape that a field of each role must have for the code that reads it. */
const ROLE_SHAPES: Record<FieldRole, [what: string, fits: (field: Field) => boolean]> = {
  first_frame: ['an image', field => field.media === 'image' && field.type === 'string'],
  last_frame: ['an image', field => field.media === 'image' && field.type === 'string'],
  reference: ['an image', field => field.media === 'image' && field.type === 'string'],
  additional_references: ['a list of images', field => field.media === 'image' && field.type === 'array'],
  mask: ['an image', field => field.media === 'image' && field.type === 'string'],
  source_video: ['a video or a list of videos', field => field.media === 'video'],
  aspect_ratio: ['tokens of the form width:height', field => hasTokens(field, /^[1-9]\d{0,2}:[1-9]\d{0,2}$/)],
  resolution: ['tokens', field => hasTokens(field, /./)],
  duration: ['tokens of whole seconds', field => hasTokens(field, /^[1-9]\d{0,3}$/)],
  sound: ['a boolean', field => field.type === 'boolean'],
  sample_rate: ['a whole number within 8000 to 48000', isSampleRate],
  character_voices: ['a boolean', field => field.type === 'boolean'],
};

const hasTokens = (field: Field, form: RegExp) => field.enum?.every(token => form.test(token)) ?? false;

/** Whether all values of a field are sample rates that MP3 supports. */
function isSampleRate({ type, multipleOf, minimum = 0, maximum = Infinity }: Field): boolean {
  return type === 'number' && multipleOf === 1 && minimum >= 8000 && maximum <= 48_000;
}

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
    if (field.enum && field.type !== 'string') issues.push(issue('only text has tokens', ...place, 'enum'));
    if (field.default !== undefined) {
      issues.push(...checkField(name, field, field.default).map(({ message }) => issue(message, ...place, 'default')));
    } else if (name !== 'prompt' && !field.media && !field.nullable) {
      issues.push(issue('needs a default', ...place));
    }
    return issues;
  });
}

function models({ model_ids, mentions, source_video, ...architecture }: Architecture): Issue[] {
  const named: [string, string[]][] = [
    ['mentions/characters', mentions.characters],
    ['mentions/references', mentions.references],
    ['mentions/audio_references', mentions.audio_references],
    ['max_images_by_model', Object.keys(architecture.max_images_by_model)],
    ['source_video/seconds_by_model', Object.keys(source_video?.seconds_by_model ?? {})],
    ['source_video/models', source_video?.models ?? []],
    ['options_by_model', Object.keys(architecture.options_by_model)],
  ];
  return named.flatMap(([place, ids]) =>
    ids.filter(id => !model_ids.includes(id)).map(id => issue(`${id} is not one of model_ids`, ...place.split('/'))),
  );
}

function options(architecture: Architecture): Issue[] {
  const { fields, options_by_model, default_model_id } = architecture;
  const issues = Object.entries(options_by_model).flatMap(([model, lists]) =>
    Object.entries(lists).flatMap(([name, tokens]) => {
      const place = ['options_by_model', model, name];
      const known = fields[name]?.enum;
      if (!known) return [issue('is not a field with tokens', ...place)];
      const unknown = tokens.filter(token => !known.includes(token));
      if (unknown.length) return unknown.map(token => issue(`${token} is not a token of the field`, ...place));
      return new Set(tokens).size < known.length ? [] : [issue('narrows nothing: leave it out', ...place)];
    }),
  );
  const defaults = defaultsOf(architecture, default_model_id);
  for (const [name, field] of Object.entries(fields)) {
    if (name !== 'model_id' && defaults[name] !== field.default)
      issues.push(issue('the default variant must accept it', 'fields', name, 'default'));
  }
  return issues;
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

function media({ roles, source_video, max_images, mentions, needs }: Architecture): Issue[] {
  const issues: Issue[] = [];
  if (Boolean(roles.source_video) !== Boolean(source_video)) {
    issues.push(issue('goes together with a field of the role source_video', 'source_video'));
  }
  if (roles.reference && max_images === 0) issues.push(issue('0 although there is a reference field', 'max_images'));
  const most = {
    first_frame: roles.first_frame ? 1 : 0,
    last_frame: roles.last_frame ? 1 : 0,
    reference: max_images,
    mask: roles.mask ? 1 : 0,
    audio_reference: mentions.max_audio_references,
    source_video: roles.source_video ? 1 : 0,
  };
  for (const [role, least] of Object.entries(needs)) {
    const room = most[role as keyof typeof most];
    if (least > room) issues.push(issue(`more than the ${room} that a request can bring`, 'needs', role));
  }
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
