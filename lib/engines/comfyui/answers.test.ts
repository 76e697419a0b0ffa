import { expect, test } from 'vitest';
import { endOf, History, refusalOf } from '#lib/engines/comfyui/answers';
import type { OutputSpec } from '#lib/output-spec';

const IMAGE: OutputSpec = { type: 'image', width: 64, height: 48, duration: 0, fps: 0, sound: false, sampleRate: 0 };
const VIDEO: OutputSpec = { ...IMAGE, type: 'video', duration: 2, fps: 24 };

const ended = (entry: object, notes: { output?: OutputSpec; node?: string } = {}) =>
  endOf(History.parse({ me: { outputs: {}, ...entry } }).me!, { output: IMAGE, steps: [], ...notes });
const files = (...names: string[]) => names.map(filename => ({ filename, subfolder: '', type: 'output' }));
const location = (filename: string) => `/view?filename=${filename}&subfolder=&type=output`;

test.each<[string, Parameters<typeof ended>, object]>([
  ['the first', [{ outputs: { 1: { images: files('a.png', 'b.png') } } }], { location: location('a.png') }],
  [
    'that of the node which the workflow names',
    [{ outputs: { 1: { images: files('a.png') }, 2: { images: files('b.png') } } }, { node: '2' }],
    { location: location('b.png') },
  ],
  [
    'one that is kept, before those that are only shown',
    [{ outputs: { 1: { images: [{ filename: 'a.png', type: 'temp' }] }, 2: { images: [{ filename: 'b.png' }] } } }],
    { location: location('b.png'), width: 64, height: 48, contentType: 'image/png' },
  ],
  [
    'one of the kind that is promised, whatever the list is called and what stands beside it',
    [{ outputs: { 1: { text: 'a', images: files('a.png', 'b.MP4'), animated: [true], n: 1 } } }, { output: VIDEO }],
    { location: location('b.MP4'), contentType: 'video/mp4', duration: 2 },
  ],
])('the result file is %s', (_, answer, output) => {
  const made = ended(...answer);
  expect(made).toMatchObject({ state: 'succeeded', output });
  expect('duration' in (made as { output: object }).output).toBe(Object.hasOwn(output, 'duration'));
});

test('a job that made only files of another type fails', () => {
  expect(ended({ outputs: { 1: { images: files('a.png', 'b') } } }, { output: VIDEO })).toMatchObject({
    state: 'failed',
    error: {
      code: 'engine_error',
      retryable: false,
      message: 'the workflow made a.png, b where its architecture promises video',
    },
  });
});

const failed = (detail: object) => ({
  status: {
    status_str: 'error',
    messages: [
      ['execution_start', {}],
      ['execution_error', detail],
    ],
  },
});

test.each<[object, code: string, retryable: boolean, message: string]>([
  [{}, 'engine_error', true, 'a node: failed without a word'],
  [{ node_type: 'N', exception_type: 'KeyError', exception_message: ' ' }, 'engine_error', true, 'N: KeyError'],
  [{ node_type: 'N', exception_message: 'no\nat line 1' }, 'engine_error', true, 'N: no'],
  [{ exception_type: 'torch.OutOfMemoryError' }, 'out_of_memory', false, 'a node: torch.OutOfMemoryError'],
  [{ exception_message: 'Allocation on device' }, 'out_of_memory', false, 'a node: Allocation on device'],
  [
    { node_type: 'CLIPLoader', exception_message: "Model in folder 'clip' with filename 'a.sft' not found." },
    'model_missing',
    false,
    'the server lacks the file a.sft (CLIPLoader)',
  ],
])('a job that ended with %j has the error code %s', (detail, code, retryable, message) => {
  expect(ended(failed(detail))).toMatchObject({ state: 'failed', error: { code, retryable, message } });
});

test('a job that was interrupted is reported as cancelled', () => {
  const status = { status_str: 'error', messages: [['execution_interrupted', {}]] };
  expect(ended({ status })).toEqual({ state: 'cancelled' });
});

const wrong = (...errors: object[]) => ({ node_errors: { 1: { class_type: 'N', errors } } });
const lacks = (received_value: string) => ({ type: 'value_not_in_list', extra_info: { received_value } });

test.each<[unknown, code: string, message: string]>([
  [
    wrong(lacks('a.GGUF'), lacks('b.sft'), lacks('a.GGUF')),
    'model_missing',
    'the server lacks the files a.GGUF, b.sft',
  ],
  [
    wrong({ ...lacks('best'), message: 'Value not in list', details: "sampler: 'best'" }),
    'invalid_input',
    "N: Value not in list (sampler: 'best')",
  ],
  [wrong({ ...lacks('a.sft'), type: 'custom', message: 'no' }), 'invalid_input', 'N: no ()'],
  [{ error: { type: 'missing_node_type', message: 'no' }, node_errors: [] }, 'model_missing', 'no'],
  [{ error: { type: 'x', message: 'Node N not found.', details: '#1' } }, 'model_missing', 'Node N not found. #1'],
  [{ error: { type: 'prompt_no_outputs' } }, 'engine_error', 'prompt_no_outputs'],
])('a graph that the server answers with %j is rejected with the code %s', (answer, code, message) => {
  expect(refusalOf(answer)).toMatchObject({ code, retryable: false, message });
});

test.each([{ node_errors: {} }, { node_errors: [] }, {}, 'no', null])('the answer %j is not a refusal', answer => {
  expect(refusalOf(answer)).toBeNull();
});
