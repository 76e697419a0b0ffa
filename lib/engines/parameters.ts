import { z } from 'zod';
import { EngineError, type EngineJob, type JobInput } from '#lib/engines/engine';
import { isObject } from '#lib/is-object';

const SOURCE =
  /^(prompt|seed|model_id|config\.\w+|input\.(first_frame|last_frame|reference|mask|source_video|voice|audio_reference)|output\.(width|height|size|duration|fps|frames|sound|sample_rate))$/;

/** `size`, `input.image`, `image_size.width`, `image[]`: letters first, so that no name reaches into a prototype. */
const TARGET = /^[A-Za-z]\w*(\[\])?(\.[A-Za-z]\w*)*$/;

const Sourced = z.strictObject({
  /** `prompt`, `seed`, `config.<field>`, `input.<role>` or `output.<size, duration, …>`. */
  from: z.string().regex(SOURCE, 'must be prompt, seed, model_id, config.<field>, input.<role> or output.<what>'),
  /** What the remote calls our tokens; a token that is missing here counts as no value. */
  values: z.record(z.string(), z.json()).optional(),
  /** Sent when the job has no value; without it the parameter is left out then. */
  default: z.json().optional(),
  type: z.enum(['string', 'number', 'integer', 'boolean']).optional(),
  /** Numbers become the nearest `offset + n × step`, not below `min`, not above `max`. A seed above `max` wraps around. */
  step: z.number().positive().optional(),
  offset: z.number().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** For inputs: every file of the role as a list, instead of the first. */
  list: z.boolean().optional(),
  /** For inputs: how a file travels, where the connector's own way is not wanted. */
  as: z.enum(['file', 'data_url', 'base64']).optional(),
});
type Sourced = z.infer<typeof Sourced>;

/** Where a value comes from and what becomes of it; or a value that is always the same. */
export const FilledParameter = z.union([z.strictObject({ value: z.json() }), Sourced], {
  error: 'must be {"value": …}, or {"from": …} with a default, numbers as step, offset, min and max, and the like',
});
export type FilledParameter = z.infer<typeof FilledParameter>;

/**
 * What a remote model takes, from what a job has: `{"num_inference_steps": {"from": "config.steps", "max": 50}}`. A dot in a
 * name makes an object; null leaves out what the connector would send by itself.
 */
export const Parameters = z.record(
  z.string().regex(TARGET, 'must be a name such as size or image_size.width'),
  FilledParameter.nullable(),
);
export type Parameters = z.infer<typeof Parameters>;

/** A file among the values of a body; whoever sends the body decides how it travels. */
export class InputFile {
  readonly input: JobInput;
  readonly as: Sourced['as'];

  constructor(input: JobInput, as?: Sourced['as']) {
    this.input = input;
    this.as = as;
  }
}

export type BodyValue = string | number | boolean | null | InputFile | BodyValue[] | { [name: string]: BodyValue };
export type Body = Record<string, BodyValue>;

/** What nearly every hosted model takes, whatever else. */
export const PROMPT_AND_SEED: Parameters = { prompt: { from: 'prompt' }, seed: { from: 'seed' } };

/**
 * The body of a job: the standard parameters of a connector, and over them those of the engine's entry. A job whose media
 * neither these nor those that travel `beside` them take is refused: it would be paid for, and made without them.
 */
export function fillParameters(
  job: EngineJob,
  standard: Parameters,
  own: Parameters = {},
  beside: Parameters = {},
): Body {
  const parameters = { ...standard, ...own };
  refuseUntaken(job, [...Object.values(parameters), ...Object.values(beside)]);
  return bodyOf(job, parameters);
}

/** The same, whatever media the job brings. */
export function bodyOf(job: EngineJob, parameters: Parameters): Body {
  const body: Body = {};
  for (const [target, parameter] of Object.entries(parameters)) {
    const value = parameter ? parameterValue(parameter, job) : undefined;
    if (value !== undefined) place(body, target.split('.'), value);
  }
  return body;
}

function refuseUntaken({ inputs, output }: EngineJob, parameters: (FilledParameter | null)[]): void {
  const left = inputs.filter(({ role, spare }, nth) => {
    // a voice comes along with a character by itself, and a film can do without
    if (spare || (role === 'voice' && output.type === 'video')) return false;
    const takers = parameters.filter(one => one && 'from' in one && one.from === `input.${role}`) as Sourced[];
    const isFirst = inputs.findIndex(other => other.role === role) === nth;
    return !takers.some(({ list }) => list || isFirst);
  });
  if (left.length === 0) return;
  const roles = left.map(({ role }) => role).join(', ');
  throw new EngineError('invalid_input', `the engine's entry has no parameter for ${roles}`, false);
}

/** The value of a parameter for a job; undefined when there is none. */
export function parameterValue(parameter: FilledParameter, job: EngineJob): BodyValue | undefined {
  if ('value' in parameter) return parameter.value;
  const found = parameter.from.startsWith('input.') ? filesOf(parameter, job) : sourceOf(parameter.from, job);
  const { values } = parameter;
  const token = String(found);
  const translated = values ? (Object.hasOwn(values, token) ? values[token] : undefined) : found;
  const value = translated ?? parameter.default;
  if (value === undefined || typeof value === 'object') return (value ?? undefined) as BodyValue;
  return cast(parameter, adjust(parameter, value as Scalar));
}

type Scalar = string | number | boolean;

function filesOf({ from, list, as }: Sourced, job: EngineJob): InputFile | InputFile[] | undefined {
  const files = job.inputs.filter(({ role }) => from === `input.${role}`).map(input => new InputFile(input, as));
  return files.length && list ? files : files[0];
}

function sourceOf(from: string, { prompt, seed, modelId, config, output }: EngineJob): unknown {
  const { width, height, duration, fps, sound, sampleRate } = output;
  const [kind, name = ''] = from.split('.');
  if (kind === 'config') return Object.hasOwn(config, name) ? config[name] : undefined;
  return {
    prompt,
    seed,
    model_id: modelId,
    'output.width': width,
    'output.height': height,
    'output.size': `${width}x${height}`,
    'output.duration': duration,
    'output.fps': fps,
    'output.frames': Math.round(duration * fps),
    'output.sound': sound,
    'output.sample_rate': sampleRate,
  }[from];
}

function adjust({ from, step, offset = 0, min = -Infinity, max = Infinity }: Sourced, value: Scalar): Scalar {
  if (step === undefined && min === -Infinity && max === Infinity) return value;
  const number = Number(value);
  if (from === 'seed' && max !== Infinity) return number % (max + 1);
  const onGrid = (one: number, round: (steps: number) => number) =>
    step === undefined ? tidy(one) : tidy(offset + round(tidy((one - offset) / step)) * step);
  // bounds may lie between two steps
  return Math.min(onGrid(max, Math.floor), Math.max(onGrid(min, Math.ceil), onGrid(number, Math.round)));
}

/** Without what is left of adding up tenths. */
const tidy = (value: number): number => Number(value.toFixed(6));

function cast({ type }: Sourced, value: Scalar): Scalar | undefined {
  if (type === 'string') return String(value);
  if (type === 'boolean') return value === true || value === 'true';
  if (type === undefined && typeof value !== 'number') return value;
  const number = type === 'integer' ? Math.round(Number(value)) : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function place(body: Body, [name = '', ...rest]: string[], value: BodyValue): void {
  const inner = body[name];
  const isBody = isObject(inner) && !(inner instanceof InputFile);
  if (rest.length) place((body[name] = isBody ? inner : {}), rest, value);
  else body[name] = value;
}
