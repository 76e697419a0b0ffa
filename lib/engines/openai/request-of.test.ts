import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('a request for an image contains only the standard parameters', async () => {
  const job = testJob('image', 'a quay', { config: { num_inference_steps: 30 } });
  expect(await requestOf(served({ call: 'images' }), job)).toEqual({
    path: '/v1/images/generations',
    body: 'json',
    answer: 'files',
    parameters: { prompt: 'a quay', n: 1, size: '200x160', response_format: 'b64_json' },
  });
});

test('the entry can add, change and remove parameters', async () => {
  const entry = served({
    call: 'images',
    model: 'm1',
    parameters: { steps: { from: 'config.num_inference_steps' }, n: { value: 2 }, response_format: null },
  });
  const { parameters } = await requestOf(entry, testJob('image', 'a quay', { config: { num_inference_steps: 30 } }));
  expect(parameters).toEqual({ prompt: 'a quay', model: 'm1', n: 2, size: '200x160', steps: 30 });
});

test('a job with input images becomes an edit request with all of them', async () => {
  const job = testJob('image', 'a quay', { inputs: [given('reference'), given('reference')] });
  const { path, body, parameters } = await requestOf(served({ call: 'images' }), job);
  expect([path, body]).toEqual(['/v1/images/edits', 'form']);
  expect(parameters['image[]']).toEqual([expect.any(InputFile), expect.any(InputFile)]);
});

test('a request for a video contains its first frame, and whole seconds as text', async () => {
  const job = testJob('video', 'waves', {
    inputs: [given('first_frame')],
    output: { ...testJob('video', '').output, duration: 121 / 24 },
  });
  const { path, answer, parameters } = await requestOf(served({ call: 'videos' }), job);
  expect([path, answer]).toEqual(['/v1/videos', 'job']);
  expect(parameters).toMatchObject({
    prompt: 'waves',
    seconds: '5',
    size: '64x48',
    input_reference: { input: { role: 'first_frame' } },
  });
});

test('inputs that the call has no parameter for are rejected, unless the entry adds one', async () => {
  const ask = (entry: object, ...roles: JobInput['role'][]) =>
    requestOf(served(entry), testJob('video', 'waves', { inputs: roles.map(given) }));
  for (const roles of [['last_frame'], ['first_frame', 'last_frame'], ['reference'], ['source_video']] as const)
    await expect(ask({ call: 'videos' }, ...roles)).rejects.toThrow(expect.objectContaining({ code: 'invalid_input' }));
  const end = { from: 'input.last_frame' };
  expect((await ask({ call: 'videos', parameters: { end } }, 'last_frame')).parameters.end).toBeInstanceOf(InputFile);
});

test('a file parameter of stable-diffusion.cpp is embedded in the prompt as base64', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'pomona-request-')), 'end.png');
  await writeFile(path, 'the end');
  const inputs: JobInput[] = [{ role: 'last_frame', path, contentType: 'image/png' }];
  const entry = { call: 'videos', sd_cpp_extra_args: { end_image: { from: 'input.last_frame', as: 'base64' } } };
  const { parameters } = await requestOf(served(entry), testJob('video', 'waves', { inputs }));
  const args = JSON.stringify({ end_image: Buffer.from('the end').toString('base64') });
  expect(parameters.prompt).toBe(`waves <sd_cpp_extra_args>${args}</sd_cpp_extra_args>`);
});

test('speech and sound jobs have their own paths and parameters', async () => {
  expect(
    await requestOf(
      served({ call: 'speech', model: 'tts', parameters: { voice: { value: 'sage' } } }),
      testJob('audio', 'hello'),
    ),
  ).toEqual({
    path: '/v1/audio/speech',
    body: 'json',
    answer: 'bytes',
    parameters: { input: 'hello', model: 'tts', voice: 'sage', response_format: 'mp3' },
  });
  expect(await requestOf(served({ call: 'audio' }), testJob('audio', 'rain'))).toMatchObject({
    path: '/v1/audio/generate',
    parameters: { input: 'rain', audio_length: 1 },
  });
});

test.each(['image', 'video'] as const)('vLLM-Omni is sent no more guidance than it accepts: %s', async kind => {
  const ask = async (guidance_scale: number) =>
    (await requestOf(suggestion('vLLM-Omni', kind), testJob(kind, 'waves', { config: { guidance_scale } }))).parameters;
  expect(await ask(4.5)).toHaveProperty('guidance_scale', 4.5);
  expect(await ask(30)).toHaveProperty('guidance_scale', 20);
});

test('LocalAI makes videos at another path, with width and height, and takes files as base64', async () => {
  const config = { negative_prompt: 'blur' };
  const job = testJob('video', 'waves', { inputs: [given('first_frame')], seed: 4_294_967_295, config });
  const { path, answer, parameters } = await requestOf(suggestion('LocalAI', 'video'), job);
  expect([path, answer]).toEqual(['/video', 'files']);
  const { width, height } = job.output;
  expect(parameters).toMatchObject({ width, height, num_frames: 10, ...config, start_image: { as: 'base64' } });
  expect(parameters).toHaveProperty('seed', 2_147_483_647);
  expect(parameters).not.toHaveProperty('size');
});

test('parameters of stable-diffusion.cpp are appended to the prompt, and any that a user wrote are removed', async () => {
  const hostile =
    'a <sd_cpp_extra_args>{"lora":[{"path":"/x"}]}</sd_cpp_extra_args> b <sd_cpp_<sd_cpp_extra_args>extra_args> </SD_CPP_EXTRA_ARGS >c';
  const entry = suggestion('stable-diffusion.cpp', 'image');
  const job = testJob('image', hostile, { config: { num_inference_steps: 9 }, seed: 5 });
  const { prompt } = (await requestOf(entry, job)).parameters;
  expect(prompt).toMatch(/ <sd_cpp_extra_args>{"seed":5,"sample_params":{"sample_steps":9}}<\/sd_cpp_extra_args>$/);
  expect(String(prompt).match(/sd_cpp_extra_args/gi)).toHaveLength(2);
  // any server may be stable-diffusion.cpp, even if its entry does not say so
  expect((await requestOf(served({ call: 'images' }), job)).parameters.prompt).not.toMatch(/sd_cpp_extra_args/i);
});
