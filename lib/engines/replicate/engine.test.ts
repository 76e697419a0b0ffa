import { expect, onTestFinished, test } from 'vitest';
import { testEngine } from '#lib/engines/compliance';
import { testJob } from '#lib/engines/remote/job-test-data';
import {
  context,
  endOf,
  HOSTED,
  hostedJobs,
  start,
  testLive,
  testUploads,
  writePicture,
} from '#lib/engines/remote/remote-test-rig';
import { json, startTestService } from '#lib/engines/remote/service-test-server';
import { createReplicateEngine } from '#lib/engines/replicate/engine';
import { ReplicateOptions } from '#lib/engines/replicate/options';
import { startReplicate } from '#lib/engines/replicate/replicate-test-server';
import { makeImage } from '#lib/media/media-test-files';

const secret = 'r8_hush-hush';
const options = ReplicateOptions.parse({
  serves: [
    {
      architecture: 'image',
      model: 'test/picture',
      parameters: { image: { from: 'input.reference' }, packed: { from: 'input.reference', as: 'base64' } },
    },
    { architecture: 'video', model: 'test/film' },
    { architecture: 'audio', model: 'deployment:test/sound' },
    { architecture: 'missing', model: 'test/no-such-model' },
  ],
});

testEngine('replicate', HOSTED, async () => {
  const server = await startReplicate({ secret });
  const { inputs, remove } = await writePicture(await makeImage(80, 60).png().toBuffer());
  return {
    url: server.url,
    secret,
    connect: (url, { answerMs }) =>
      createReplicateEngine({ id: 'hosted', url: `${url}/v1`, secret }, { ...options, answerMs, pollMs: 10 }),
    jobs: hostedJobs(inputs),
    restart: server.restart,
    submissions: () => server.asked.length,
    close: async () => void (await Promise.all([server.close(), remove()])),
  };
});

async function rig() {
  const server = await startReplicate({ secret });
  const engine = createReplicateEngine({ id: 'hosted', url: server.url, secret }, { ...options, pollMs: 10 });
  return { server, engine, close: async () => void (await Promise.all([engine.close(), server.close()])) };
}

testUploads(rig, 'image', ({ uploads }, address, bytes) => uploads.get(address)!.equals(bytes));

test('an entry can name a model, a version of it, or a deployment', async () => {
  const { server, engine, close } = await rig();
  await start(engine, testJob('image', 'plain', { seed: 5 }));
  await start(engine, testJob('audio', 'plain'));
  expect(server.asked).toMatchObject([{ model: 'test/picture', prompt: 'plain', seed: 5 }, { model: 'test/sound' }]);
  await close();
  const name = (model: string) => ReplicateOptions.safeParse({ serves: [{ architecture: 'x', model }] }).success;
  const version = 'a'.repeat(64);
  expect(['owner/name', `owner/name:${version}`, version, 'deployment:o/n'].every(name)).toBe(true);
  expect(['name', 'a/b/c', '../x', 'owner/name:v1', 'https://replicate.com/a/b'].some(name)).toBe(false);
});

test('a job that is aborted during its submit is cancelled at the service', async () => {
  const { server, engine, close } = await rig();
  const stop = new AbortController();
  const submitted = start(engine, testJob('image', 'long'), { signal: stop.signal });
  stop.abort(new Error('nobody wants it'));
  await expect(submitted).rejects.toThrow('nobody wants it');
  await expect.poll(() => server.asked.length).toBe(1);
  // the cancelled job no longer occupies the model
  expect(await endOf(engine, await start(engine, testJob('image', 'plain')))).toMatchObject({ state: 'succeeded' });
  await close();
});

test('a content policy refusal is reported as invalid input', async () => {
  const { engine, close } = await rig();
  const last = await endOf(engine, await start(engine, testJob('image', 'refused')));
  expect(last).toMatchObject({ state: 'failed', error: { code: 'invalid_input', retryable: false } });
  await close();
});

test('a job that the service does not know, or has deleted, is lost', async () => {
  const { engine, close } = await rig();
  const reserved = engine.reserve(testJob('image', 'plain'));
  expect(await engine.poll(reserved, context)).toEqual({ state: 'lost' });
  expect(await engine.cancel(reserved)).toBe('too_late');
  const ref = await start(engine, testJob('image', 'plain'));
  expect(await engine.poll({ ...ref, id: 'forgotten' }, context)).toEqual({ state: 'lost' });
  await close();
});

/** Creates an engine for a service with one job in the given state; `cancelled` is its state after a cancel. */
async function serviceOf({
  id = 'p1',
  status,
  cancelled = status,
  ...others
}: {
  id?: string;
  status: string;
  cancelled?: string;
  logs?: string;
  data_removed?: boolean;
}) {
  const server = await startTestService(
    async (_, route) => json({ id, ...others, status: route.endsWith('/cancel') ? cancelled : status }),
    () => {},
  );
  const engine = createReplicateEngine({ id: 'hosted', url: server.url, secret }, options);
  onTestFinished(async () => void (await Promise.all([engine.close(), server.close()])));
  return engine;
}

test.each([
  ['loading the model', { state: 'running' }],
  [' 25%|##5       | 5/20 [00:01<00:03]', { state: 'running', progress: 0.25 }],
])('the progress of a job is read from its logs: %s', async (logs, snapshot) => {
  const engine = await serviceOf({ status: 'processing', logs });
  expect(await engine.poll(await start(engine, testJob('image', 'plain')), context)).toStrictEqual(snapshot);
});

test('a job whose output the service has deleted is lost', async () => {
  const engine = await serviceOf({ status: 'succeeded', data_removed: true });
  expect(await engine.poll(await start(engine, testJob('image', 'plain')), context)).toEqual({ state: 'lost' });
});

test('a job that the service aborted before its start is cancelled', async () => {
  const engine = await serviceOf({ status: 'aborted' });
  const ref = await start(engine, testJob('image', 'plain'));
  expect(await engine.poll(ref, context)).toEqual({ state: 'cancelled' });
});

test.each([
  ['succeeded', 'too_late'],
  ['failed', 'too_late'],
  ['canceled', 'cancelled'],
  ['processing', 'requested'],
])('cancelling a job whose state turns out to be %s returns %s', async (cancelled, outcome) => {
  const engine = await serviceOf({ status: 'processing', cancelled });
  expect(await engine.cancel(await start(engine, testJob('image', 'plain')))).toBe(outcome);
});

test('a job id that would lead to another path is rejected', async () => {
  const engine = await serviceOf({ id: '../account', status: 'starting' });
  await expect(start(engine, testJob('image', 'plain'))).rejects.toMatchObject({ code: 'engine_error' });
});

test('a probe reports the account, and a wrong key', async () => {
  const { server, engine, close } = await rig();
  expect(await engine.probe()).toMatchObject({ ok: true, detail: 'organization acme' });
  const wrong = createReplicateEngine({ id: 'x', url: server.url, secret: 'r8_wrong' }, options);
  expect(await wrong.probe()).toMatchObject({ ok: false, detail: expect.stringContaining('needs a different secret') });
  await wrong.close();
  await close();
});

const { REPLICATE_API_TOKEN: token, REPLICATE_TEST_MODEL: model = 'black-forest-labs/flux-schnell' } = process.env;
if (token)
  testLive(`replicate ${model}`, {
    url: 'https://api.replicate.com',
    secret: token,
    connect: (url, { answerMs }) =>
      createReplicateEngine(
        { id: 'live', url, secret: token },
        { ...ReplicateOptions.parse({ serves: [{ architecture: 'image', model }] }), answerMs },
      ),
  });
