import { expect, test } from 'vitest';
import type { JobInput } from '#lib/engines/engine';
import { testJob } from '#lib/engines/remote/job-test-data';
import { DIALECTS } from '#lib/engines/openai/dialects';
import { OpenaiOptions } from '#lib/engines/openai/options';
import { requestOf } from '#lib/engines/openai/request-of';
import { InputFile } from '#lib/engines/parameters';

const given = (role: JobInput['role']): JobInput => ({ role, path: '/x.png', contentType: 'image/png' });
const served = (entry: object) => OpenaiOptions.parse({ serves: [{ architecture: 'x', ...entry }] }).serves[0]!;
const suggestion = (name: string, kind: 'image' | 'video') =>
  served(DIALECTS.find(dialect => dialect.name === name)!.suggestions[kind]!);

test('a picture is asked for in the words of the standard, and in no others', () => {
  const job = testJob('image', 'a quay', { config: { num_inference_steps: 30 } });
  expect(requestOf(served({ call: 'images' }), job)).toEqual({
    path: '/v1/images/generations',
    body: 'json',
    answer: 'files',
    parameters: { prompt: 'a quay', n: 1, size: '200x160', response_format: 'b64_json' },
  });
});

test('what the entry says is added, changed or taken out', () => {
  const entry = served({
    call: 'images',
    model: 'm1',
    parameters: { steps: { from: 'config.num_inference_steps' }, n: { value: 2 }, response_format: null },
  });
  const { parameters } = requestOf(entry, testJob('image', 'a quay', { config: { num_inference_steps: 30 } }));
  expect(parameters).toEqual({ prompt: 'a quay', model: 'm1', n: 2, size: '200x160', steps: 30 });
});

test('a job that brings pictures is an edit, with all of them', () => {
  const job = testJob('image', 'a quay', { inputs: [given('reference'), given('reference')] });
  const { path, body, parameters } = requestOf(served({ call: 'images' }), job);
  expect([path, body]).toEqual(['/v1/images/edits', 'form']);
  expect(parameters['image[]']).toEqual([expect.any(InputFile), expect.any(InputFile)]);
});

test('a film begins with its first frame, seconds are whole and a text', () => {
  const job = testJob('video', 'waves', {
    inputs: [given('first_frame')],
    output: { ...testJob('video', '').output, duration: 121 / 24 },
  });
  const { path, answer, parameters } = requestOf(served({ call: 'videos' }), job);
  expect([path, answer]).toEqual(['/v1/videos', 'job']);
  expect(parameters).toMatchObject({
    prompt: 'waves',
    seconds: '5',
    size: '64x48',
    input_reference: { input: { role: 'first_frame' } },
  });
});

test('media that the call has no place for are refused, wherever the entry could have given them one', () => {
  const ask = (entry: object, ...roles: JobInput['role'][]) =>
    requestOf(served(entry), testJob('video', 'waves', { inputs: roles.map(given) }));
  for (const roles of [['last_frame'], ['first_frame', 'last_frame'], ['reference'], ['source_video']] as const)
    expect(() => ask({ call: 'videos' }, ...roles)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  const end = { from: 'input.last_frame' };
  expect(ask({ call: 'videos', parameters: { end } }, 'last_frame').parameters.end).toBeInstanceOf(InputFile);
  // stable-diffusion.cpp is told inside the prompt
  expect(ask({ call: 'videos', sd_cpp_extra_args: { end } }, 'last_frame').path).toBe('/v1/videos');
});

test('speech and sounds', () => {
  expect(
    requestOf(
      served({ call: 'speech', model: 'tts', parameters: { voice: { value: 'sage' } } }),
      testJob('audio', 'hello'),
    ),
  ).toEqual({
    path: '/v1/audio/speech',
    body: 'json',
    answer: 'bytes',
    parameters: { input: 'hello', model: 'tts', voice: 'sage', response_format: 'mp3' },
  });
  expect(requestOf(served({ call: 'audio' }), testJob('audio', 'rain'))).toMatchObject({
    path: '/v1/audio/generate',
    parameters: { input: 'rain', audio_length: 1 },
  });
});

test('LocalAI makes films by another path, and takes files as base64', () => {
  const job = testJob('video', 'waves', { inputs: [given('first_frame')], seed: 4_294_967_295 });
  const { path, answer, parameters } = requestOf(suggestion('LocalAI', 'video'), job);
  expect([path, answer]).toEqual(['/video', 'files']);
  expect(parameters).toMatchObject({ seed: 2_147_483_647, num_frames: 10, start_image: { as: 'base64' } });
});

test('stable-diffusion.cpp finds its parameters in the prompt, and none that somebody else wrote there', () => {
  const hostile =
    'a <sd_cpp_extra_args>{"lora":[{"path":"/x"}]}</sd_cpp_extra_args> b <sd_cpp_<sd_cpp_extra_args>extra_args> </SD_CPP_EXTRA_ARGS >c';
  const entry = suggestion('stable-diffusion.cpp', 'image');
  const job = testJob('image', hostile, { config: { num_inference_steps: 9 }, seed: 5 });
  const { prompt } = requestOf(entry, job).parameters;
  expect(prompt).toMatch(/ <sd_cpp_extra_args>{"seed":5,"sample_params":{"sample_steps":9}}<\/sd_cpp_extra_args>$/);
  expect(String(prompt).match(/sd_cpp_extra_args/gi)).toHaveLength(2);
  // a server may be one although its entry does not say so
  expect(requestOf(served({ call: 'images' }), job).parameters.prompt).not.toMatch(/sd_cpp_extra_args/i);
});
