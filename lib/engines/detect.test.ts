import { afterAll, expect, test } from 'vitest';
import { startCog } from '#lib/engines/cog/cog-test-server';
import { CONNECTORS } from '#lib/engines/connectors';
import { startComfyui } from '#lib/engines/comfyui/comfyui-test-server';
import { detectEngine } from '#lib/engines/detect';
import { hostedAt } from '#lib/engines/hosted';
import { DIALECTS } from '#lib/engines/openai/dialects';
import { startOpenai } from '#lib/engines/openai/openai-test-server';
import { OpenaiOptions } from '#lib/engines/openai/options';
import { json, startTestService } from '#lib/engines/remote/service-test-server';

const secret = 'hush-hush';
const started: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(started.map(one => one.close())));
const keep = <T extends { close(): Promise<void> }>(one: T): T => (started.push(one), one);

test('an OpenAI-compatible server is detected with its models, and with its dialect if that is known', async () => {
  const { url } = keep(await startOpenai({ secret }));
  const found = await detectEngine(`${url}/v1/`, secret);
  expect(found).toMatchObject({ type: 'openai', url, ok: true, models: ['test-model'] });
  const sglang = keep(
    await startTestService(
      async (_, route) =>
        route === 'GET /v1/models' ? json({ data: [{ id: 'Wan', owned_by: 'sglang' }] }) : json({}, 404),
      () => {},
    ),
  );
  expect(await detectEngine(sglang.url)).toMatchObject({
    type: 'openai',
    dialect: 'SGLang Diffusion',
    suggestions: { video: { call: 'videos', parameters: { num_frames: { from: 'output.frames' } } } },
  });
});

test.each(['openai', 'openai-internal', 'system'])('OpenAI is recognised by a first model of %s', async owned_by => {
  const data = [{ id: 'whisper-1', owned_by }];
  const { url } = keep(
    await startTestService(
      async (_, route) => (route === 'GET /v1/models' ? json({ data }) : json({}, 404)),
      () => {},
    ),
  );
  expect(await detectEngine(url)).toMatchObject({ dialect: 'OpenAI' });
});

test('a Cog container is detected with its version and its inputs', async () => {
  const { url } = keep(await startCog({ coglet: true, secret }));
  expect(await detectEngine(url, secret)).toMatchObject({
    type: 'cog',
    ok: true,
    version: '0.17.0',
    detail: 'READY; its inputs are prompt, seed, image',
  });
});

test('a ComfyUI server is detected with its version, from an address without a scheme', async () => {
  const { url } = keep(await startComfyui({ version: '0.38.1', secret }));
  expect(await detectEngine(url.replace('http://', ''), secret)).toMatchObject({
    type: 'comfyui',
    url,
    version: '0.38.1',
  });
});

test('a server that needs a secret is reported as such, without repeating the secret that was sent', async () => {
  const { url } = keep(await startOpenai({ secret }));
  for (const wrong of [undefined, 'wrong-secret']) {
    const found = await detectEngine(url, wrong);
    expect(found).toMatchObject({ type: null, wantsSecret: true, detail: expect.stringContaining('needs a secret') });
    expect(JSON.stringify(found)).not.toContain('wrong-secret');
  }
});

test('an unknown kind of server and an unreachable address are reported as such', async () => {
  const { url } = keep(
    await startTestService(
      async () => new Response('<html>It works!</html>'),
      () => {},
    ),
  );
  expect(await detectEngine(url)).toMatchObject({
    type: null,
    detail: expect.stringContaining('neither as a ComfyUI'),
  });
  expect(await detectEngine('127.0.0.1:1')).toMatchObject({
    type: null,
    detail: expect.stringContaining('not be reached'),
  });
});

test.each(['', 'ftp://box', 'http://user:pass@box', 'http://'])('%j is rejected as an address', async address => {
  await expect(detectEngine(address)).rejects.toMatchObject({ code: 'invalid_request' });
});

test.each([
  ['https://replicate.com', 'replicate'],
  ['https://api.replicate.com/v1', 'replicate'],
  ['https://queue.fal.run', 'fal'],
  ['https://fal.ai/models', 'fal'],
  ['http://openai.com', 'openai'],
  ['https://eu.api.openai.com', undefined],
  ['https://notreplicate.com', undefined],
  ['https://fal.run.example.com', undefined],
])('the hosted service at %s is %s', (address, type) => {
  expect(hostedAt(address)?.type).toBe(type);
});

test.each(['replicate', 'fal', 'openai'] as const)(
  'an engine of the type %s can be probed before it serves anything',
  async type => {
    const nobody = await CONNECTORS[type].create({ id: 'a', url: 'http://127.0.0.1:1' }, { serves: [] });
    expect(await nobody.probe()).toMatchObject({ ok: false, detail: expect.stringContaining('failed') });
    await nobody.close?.();
  },
);

test.each(DIALECTS.map(dialect => [dialect.name, dialect] as const))(
  'the suggested options for %s are valid',
  (_, dialect) => {
    const serves = Object.values(dialect.suggestions).map(suggestion => ({ architecture: 'x', ...suggestion }));
    expect(OpenaiOptions.safeParse({ serves }).error).toBeUndefined();
  },
);
