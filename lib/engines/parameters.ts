import { z } from 'zod';
import { EngineError, type EngineJob, type JobInput } from '#lib/engines/engine';
import { isObject } from '#lib/is-object';

const SOURCE =
  /^(prompt|seed|model_id|config\.\w+|input\.(first_frame|last_frame|reference|mask|source_video|voice|audio_reference)|output\.(width|height|size|duration|fps|frames|sound|sample_rate))$/;

/** `size`, `input.image`, `image_size.width`, `image[]`. Each part starts with a letter, so `__proto__` is excluded. */
const TARGET = /^[A-Za-z]\w*(\[\])?(\.[A-Za-z]\w*)*$/;

const Sourced = z.strictObject({
  /** `prompt`, `seed`, `config.<field>`, `input.<role>` or `output.<size, duration, …>`. */
  from: z.string().regex(SOURCE, 'must be prompt, seed, model_id, config.<field>, input.<role> or output.<what>'),
  /** Maps Pomona's tokens to the remote model's own; a token without an entry counts as no value. */
  values: z.record(z.string(), z.json()).optional(),
  /** Sent when the job has no value; without a default, the parameter is omitted in that case. */
  default: z.json().optional(),
  type: z.enum(['string', 'number', 'integer', 'boolean']).optional(),
  /** Rounds numbers to the nearest `offset + n × step` within `min` and `max`. A seed above `max` wraps around. */
  step: z.number().positive().optional(),
  offset: z.number().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** For inputs: sends every file of the role as a list, instead of only the first. */
  list: z.boolean().optional(),
  /** For inputs: how a file is sent, overriding the connector's default. */
  as: z.enum(['file', 'data_url', 'base64']).optional(),
});
type Sourced = z.infer<typeof Sourced>;

/** The source of a value and its conversion, or a constant value. */
export const FilledParameter = z.union([z.strictObject({ value: z.json() }), Sourced], {
  error: 'must be {"value": …}, or {"from": …} with a default, numbers as step, offset, min and max, and the like',
});
export type FilledParameter = z.infer<typeof FilledParameter>;

/**
 * Maps the fields of a job to the parameters of a remote model:
 * `{"num_inference_steps": {"from": "config.steps", "max": 50}}`. A dot in a name makes a nested object; null removes a
 * parameter that the connector would send by default.
 */
export const Parameters = z.record(
  z.string().regex(TARGET, 'must be a name such as size or image_size.width'),
  FilledParameter.nullable(),
);
export type Parameters = z.infer<typeof Parameters>;

/** A file among the values of a request body; the sender of the body decides how the file is encoded. */
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

/** Parameters that nearly every hosted model takes. */
export const PROMPT_AND_SEED: Parameters = { prompt: { from: 'prompt' }, seed: { from: 'seed' } };

/**
 * Builds the request body of a job from the connector's standard parameters, overridden by the engine entry's `own`.
 * Throws `invalid_input` when an input of the job is taken by no parameter, including those sent `beside` the body:
 * the user would pay for a result that ignores it.
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

/** Builds a request body without checking that every input of the job is used. */
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
    // a character adds its voice automatically, and a video can be made without it
    if (spare || (role === 'voice' && output.type === 'video')) return false;
    const takers = parameters.filter(one => one && 'from' in one && one.from === `input.${role}`) as Sourced[];
    const isFirst = inputs.findIndex(other => other.role === role) === nth;
    return !takers.some(({ list }) => list || isFirst);
  });
  if (left.length === 0) return;
  const roles = left.map(({ role }) => role).join(', ');
  throw new EngineError('invalid_input', `the engine's entry has no parameter for ${roles}`, false);
}

/** Returns the value of a parameter for a job; undefined when the job has none. */
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
  // bounds may lie between two steps, so they are moved inwards to the grid
  return Math.min(onGrid(max, Math.floor), Math.max(onGrid(min, Math.ceil), onGrid(number, Math.round)));
}

/** Removes floating-point noise such as 0.30000000000000004. */
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
