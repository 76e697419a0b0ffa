import { expect, test } from 'vitest';
import type { EngineJob, JobInput } from '#lib/engines/engine';
import { fillParameters, InputFile, Parameters } from '#lib/engines/parameters';

const input = (role: JobInput['role'], path: string): JobInput => ({ role, path, contentType: 'image/png' });
const job: EngineJob = {
  requestId: 'r1',
  claim: 1,
  attempt: 1,
  architecture: 'anima',
  modelId: 'anima-v1',
  prompt: 'a quay',
  seed: 4_294_967_295,
  config: {
    steps: 60,
    guidance: 3.0625,
    strength: 2.6,
    resolution: '2k',
    empty: '',
    none: null,
    fast: true,
    loud: 'true',
    slow: 'false',
    style: 'constructor',
  },
  output: { type: 'video', width: 1024, height: 1280, duration: 5, fps: 24, sound: true, sampleRate: 48_000 },
  inputs: [],
};
const fill = (parameters: unknown, standard: Parameters = {}, inputs: JobInput[] = []) =>
  fillParameters({ ...job, inputs }, standard, Parameters.parse(parameters));

test.each<[string, object, unknown]>([
  ['the prompt', { from: 'prompt' }, 'a quay'],
  ['the variant', { from: 'model_id' }, 'anima-v1'],
  ['a field', { from: 'config.steps' }, 60],
  ['a field within bounds', { from: 'config.steps', max: 50, min: 1 }, 50],
  ['a field of at least', { from: 'config.steps', min: 70 }, 70],
  ['a field of at most', { from: 'config.steps', max: 50 }, 50],
  ['a field on a grid', { from: 'config.guidance', step: 0.1 }, 3.1],
  ['a field on a fine grid', { from: 'config.guidance', step: 0.01 }, 3.06],
  ['a whole number', { from: 'config.strength', type: 'integer' }, 3],
  ['a flag', { from: 'config.fast' }, true],
  ['a flag where one is due', { from: 'config.fast', type: 'boolean' }, true],
  ['a flag that is text', { from: 'config.loud', type: 'boolean' }, true],
  ['no flag that is text', { from: 'config.slow', type: 'boolean' }, false],
  ['an empty text', { from: 'config.empty' }, ''],
  ['a size', { from: 'output.size' }, '1024x1280'],
  ['seconds as text', { from: 'output.duration', type: 'string' }, '5'],
  ['frames as 8n + 1', { from: 'output.frames', step: 8, offset: 1 }, 121],
  ['on its grid within bounds', { from: 'output.frames', step: 8, offset: 1, max: 103 }, 97],
  ['on its grid of at least', { from: 'config.steps', step: 8, min: 66 }, 72],
  ['at a bound that is on its grid', { from: 'config.guidance', step: 0.1, max: 0.3 }, 0.3],
  ['a seed that wraps around', { from: 'seed', max: 2_147_483_647 }, 2_147_483_647],
  ['a token by the table', { from: 'config.resolution', values: { '1k': '1 MP', '2k': { mp: 4 } } }, { mp: 4 }],
  ['a token that the table lacks', { from: 'config.resolution', values: { '1k': 1 }, default: 2 }, 2],
  ['a constant', { value: { a: [1] } }, { a: [1] }],
  ['the default of what is null', { from: 'config.none', default: 7 }, 7],
])('a parameter may be %s', (_, parameter, expected) => {
  expect(fill({ x: parameter })).toEqual({ x: expected });
});

test.each<[string, object | null]>([
  ['a field that the job lacks', { from: 'config.other' }],
  ['a name that every object has', { from: 'config.constructor' }],
  ['null', { from: 'config.none' }],
  ['a token without a translation', { from: 'config.resolution', values: {} }],
  ['a token that every table has', { from: 'config.style', values: {} }],
  ['no number where one is due', { from: 'prompt', type: 'integer' }],
  ['an input that was not given', { from: 'input.last_frame' }],
  ['a list of inputs that were not given', { from: 'input.last_frame', list: true }],
  ['what the entry takes out', null],
])('%s is left out of the parameters', (_, parameter) => {
  expect(fill({ x: parameter }, { x: { value: 1 } })).toEqual({});
});

test('the number of frames is rounded to a whole number', () => {
  const { output } = job;
  expect(fillParameters({ ...job, output: { ...output, duration: 4.99 } }, { x: { from: 'output.frames' } })).toEqual({
    x: 120,
  });
});

test('an input parameter takes the first file of its role or all of them, in the encoding that it names', () => {
  const parameters = {
    image: { from: 'input.first_frame', as: 'base64' },
    'images[]': { from: 'input.reference', list: true },
    one: { from: 'input.reference' },
  };
  const body = fill(parameters, {}, [input('reference', 'a'), input('reference', 'b'), input('first_frame', 'c')]);
  expect(body['image']).toMatchObject({ input: { path: 'c' }, as: 'base64' });
  expect(body['images[]']).toMatchObject([{ input: { path: 'a' } }, { input: { path: 'b' } }]);
  expect(body['one']).toBeInstanceOf(InputFile);
});

test('an input that no parameter takes is rejected, unless it is spare or the voice of a character', () => {
  const one = { image: { from: 'input.reference' } };
  const spare = { ...input('reference', 'b'), spare: true as const };
  expect(fill(one, {}, [input('reference', 'a'), spare])).toEqual({ image: expect.any(InputFile) });
  const untaken = (roles: string) =>
    expect.objectContaining({ code: 'invalid_input', retryable: false, message: expect.stringContaining(roles) });
  expect(() => fill(one, {}, [input('reference', 'a'), input('reference', 'b')])).toThrow(untaken('for reference'));
  expect(() => fill(one, {}, [input('first_frame', 'a'), input('mask', 'b')])).toThrow(untaken('first_frame, mask'));
  expect(() => fill({ image: null }, Parameters.parse(one), [input('reference', 'a')])).toThrow(untaken('reference'));
  // the voices of characters are added automatically
  const voice = [input('voice', 'v')];
  expect(fill({}, {}, voice)).toEqual({});
  const sound = { ...job, inputs: voice, output: { ...job.output, type: 'audio' as const } };
  expect(() => fillParameters(sound, {})).toThrow(untaken('voice'));
});

test('dots in a name create nested objects, and the entry overrides the standard parameters', () => {
  const parameters = {
    'image_size.width': { from: 'output.width' },
    'image_size.height': { from: 'output.height' },
    n: { value: 2 },
  };
  expect(fill(parameters, { n: { value: 1 }, prompt: { from: 'prompt' } })).toEqual({
    n: 2,
    prompt: 'a quay',
    image_size: { width: 1024, height: 1280 },
  });
});

test('parameter names cannot change object prototypes', () => {
  fill({ 'constructor.prototype.polluted': { value: 1 }, 'toString.x': { value: 1 } });
  expect('polluted' in {}).toBe(false);
  expect(Object.prototype.toString).not.toHaveProperty('x');
});

test.each([
  ['an unknown source', { x: { from: 'job.prompt' } }],
  ['an unknown role', { x: { from: 'input.depth' } }],
  ['a field of a field', { x: { from: 'config.a.b' } }],
  ['a grid without steps', { x: { from: 'seed', step: 0 } }],
  ['an unknown member', { x: { from: 'prompt', scale: 2 } }],
  ['a source and a value', { x: { from: 'prompt', value: 2 } }],
  ['__proto__', JSON.parse('{"a.__proto__.b":{"value":1}}')],
  ['no name', { '': { value: 1 } }],
])('the schema refuses %s', (_, parameters) => {
  expect(Parameters.safeParse(parameters).success).toBe(false);
});
