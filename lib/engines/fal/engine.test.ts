import { expect, test } from 'vitest';
import { testEngine } from '#lib/engines/compliance';
import { LostOutput, type Engine, type EngineRef } from '#lib/engines/engine';
import { createFalEngine } from '#lib/engines/fal/engine';
import { startFal } from '#lib/engines/fal/fal-test-server';
import { FalOptions } from '#lib/engines/fal/options';
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
import { makeImage } from '#lib/media/media-test-files';

const secret = 'id:hush-hush';
const options = FalOptions.parse({
  serves: [
    {
      architecture: 'image',
      model: 'test/picture/turbo',
      parameters: { image_url: { from: 'input.reference' }, packed: { from: 'input.reference', as: 'base64' } },
    },
    { architecture: 'video', model: 'test/film' },
    { architecture: 'audio', model: 'test/sound' },
    { architecture: 'missing', model: 'test/no-such-model' },
  ],
});

testEngine('fal', HOSTED, async () => {
  const server = await startFal({ secret });
  const { inputs, remove } = await writePicture(await makeImage(80, 60).png().toBuffer());
  return {
    url: server.url,
    secret,
    connect: (url, { answerMs }) =>
      createFalEngine({ id: 'hosted', url, secret }, { ...options, uploads: url, answerMs, pollMs: 10 }),
    jobs: hostedJobs(inputs),
    restart: server.restart,
    submissions: () => server.asked.length,
    close: async () => void (await Promise.all([server.close(), remove()])),
  };
});

async function rig() {
  const server = await startFal({ secret });
  const connect = (key: string) =>
    createFalEngine({ id: 'hosted', url: server.url, secret: key }, { ...options, uploads: server.url, pollMs: 10 });
  const engine = connect(secret);
  return { server, engine, connect, close: async () => void (await Promise.all([engine.close(), server.close()])) };
}

testUploads(
  rig,
  'image_url',
  ({ uploads }, address, bytes) => uploads.get(address.split('/').at(-1)!) === bytes.length,
);

test('a large file is uploaded to an internal address only if the entry lists its origin', async () => {
  const taken: string[] = [];
  const inside = await startTestService(
    async (_, route) => (taken.push(route), new Response('')),
    () => {},
  );
  const queue = await startTestService(
    async () => json({ upload_url: `${inside.url}/put/a?signature=s`, file_url: `${inside.url}/a` }),
    () => {},
  );
  const { inputs, remove } = await writePicture(await makeImage(400, 400).png({ compressionLevel: 0 }).toBuffer());
  const submit = async (origins: string[]) => {
    const engine = createFalEngine(
      { id: 'hosted', url: queue.url, secret },
      { ...options, uploads: queue.url, origins },
    );
    await expect(start(engine, testJob('image', 'plain', { inputs }))).rejects.toMatchObject({ code: 'engine_error' });
    await engine.close();
  };
  await submit([]);
  expect(taken).toEqual([]);
  await submit([inside.url]);
  expect(taken).toEqual(['PUT /put/a']);
  await Promise.all([remove(), queue.close(), inside.close()]);
});

test('cancelling removes a queued job from the queue, and requests the end of a running one', async () => {
  const { engine, close } = await rig();
  const first = await start(engine, testJob('image', 'long'));
  await expect.poll(async () => (await engine.poll(first, context)).state).toBe('running');
  const second = await start(engine, testJob('image', 'long'));
  expect(await engine.poll(second, context)).toEqual({ state: 'queued', position: 1 });
  expect(await engine.cancel(second)).toBe('cancelled');
  expect(await engine.cancel(first)).toBe('requested');
  for (const ref of [first, second]) expect(await endOf(engine, ref)).toEqual({ state: 'cancelled' });
  await close();
});

test('the size of an image is the one that fal reports', async () => {
  const { engine, close } = await rig();
  const last = await endOf(
    engine,
    await start(engine, testJob('image', 'plain', { output: { ...testJob('image', '').output, width: 999 } })),
  );
  expect(last).toMatchObject({ state: 'succeeded', output: { contentType: 'image/png', width: 200, height: 160 } });
  await close();
});

test.each(['refused', 'black'])(
  'a prompt that the safety check answers with %s is reported as invalid input',
  async prompt => {
    const { engine, close } = await rig();
    const last = await endOf(engine, await start(engine, testJob('image', prompt)));
    expect(last).toMatchObject({ state: 'failed', error: { code: 'invalid_input', retryable: false } });
    await close();
  },
);

test('a missing parameter that the result reports is invalid input', async () => {
  const { engine, close } = await rig();
  const last = await endOf(engine, await start(engine, testJob('image', '')));
  expect(last).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_input', message: expect.stringContaining('Field required') },
  });
  await close();
});

interface Standing {
  engine: Engine;
  ref: EngineRef;
}

/** Creates a job with the given status and result at fal, and passes it to `look`. */
async function standing(status: (asked: URL) => object, result: () => Response, look: (at: Standing) => Promise<void>) {
  const queue = await startTestService(
    async ({ url }, route) => {
      const base = `${queue.url}/a/b/requests/1`;
      if (route.startsWith('POST'))
        return json({
          request_id: '1',
          status_url: `${base}/status`,
          response_url: base,
          cancel_url: `${base}/cancel`,
        });
      if (route.endsWith('/cancel')) return json({ status: 'CANCELLATION_REQUESTED' }, 202);
      return route.endsWith('/status') ? json(status(new URL(url))) : result();
    },
    () => {},
  );
  const engine = createFalEngine({ id: 'hosted', url: queue.url, secret }, options);
  await look({ engine, ref: await start(engine, testJob('image', 'plain')) });
  await Promise.all([engine.close(), queue.close()]);
}

const completed = () => ({ status: 'COMPLETED' });

test.each([
  [429, { detail: 'Too many requests' }, false],
  [502, '<html>', true],
  [503, { detail: 'Service Unavailable' }, true],
])('a finished result that is temporarily unavailable (%d %j) is a retryable error', (status, body, isLost) =>
  standing(
    completed,
    () => json(body, status),
    async ({ engine, ref }) => {
      const error: unknown = await engine.poll(ref, context).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: 'engine_unavailable', retryable: true });
      expect(error instanceof LostOutput).toBe(isLost);
      // a cancel does not depend on the result
      expect(await engine.cancel(ref)).toBe('requested');
    },
  ),
);

test.each([
  [502, { detail: 'The runner went away', error_type: 'runner_incomplete_response' }],
  [503, { detail: 'The runner went away', error_type: 'runner_disconnected' }],
  // failures of the model
  [500, { detail: [{ loc: ['body'], msg: 'Internal server error', type: 'internal_server_error' }] }],
  [504, { detail: [{ loc: ['body'], msg: 'Generation timeout', type: 'generation_timeout' }] }],
  // fal says that another try may help
  [400, { detail: [{ loc: ['body'], msg: 'Downstream service error', type: 'downstream_service_error' }] }],
])('a job whose runner or model failed (%d %j) is reported as failed, with a retryable error', (status, said) =>
  standing(
    completed,
    () => Response.json(said, { status, headers: { 'x-fal-retryable': String(status === 400) } }),
    async ({ engine, ref }) => {
      const error = { code: 'engine_error', retryable: true };
      expect(await engine.poll(ref, context)).toMatchObject({ state: 'failed', error });
    },
  ),
);

test.each([
  [null, { state: 'running' }],
  [['loading the model'], { state: 'running' }],
  [['loading the model', ' 25%|##5       | 5/20 [00:01<00:03]'], { state: 'running', progress: 0.25 }],
])('the progress of a job is read from its last log message: %j', (messages, snapshot) =>
  standing(
    () => ({ status: 'IN_PROGRESS', logs: messages?.map(message => ({ message })) }),
    () => json({}),
    async ({ engine, ref }) => expect(await engine.poll(ref, context)).toStrictEqual(snapshot),
  ),
);

test('a job with logs above the size limit keeps running, and can be cancelled', () => {
  const logs = Array.from({ length: 9_000 }, (_, line) => ({ message: `${line} ${'.'.repeat(150)}` }));
  return standing(
    ({ searchParams }) => ({ status: 'IN_PROGRESS', ...(searchParams.has('logs') && { logs }) }),
    () => json({}),
    async ({ engine, ref }) => {
      expect(await engine.poll(ref, context)).toEqual({ state: 'running' });
      expect(await engine.cancel(ref)).toBe('requested');
    },
  );
});

test('the secret is sent to the address of the engine only, whatever addresses an answer names', async () => {
  const heard: (string | null)[] = [];
  const other = await startTestService(
    async request => (heard.push(request.headers.get('authorization')), json({})),
    () => {},
  );
  const paths: string[] = [];
  const queue = await startTestService(
    async (_, route) => {
      paths.push(route);
      const base = `${other.url}/a/b/requests/1`;
      if (route.startsWith('POST'))
        return json({
          request_id: '1',
          status_url: `${base}/status`,
          response_url: base,
          cancel_url: `${base}/cancel`,
        });
      return json({ status: 'IN_QUEUE', queue_position: 3 });
    },
    () => {},
  );
  const engine = createFalEngine({ id: 'hosted', url: queue.url, secret }, options);
  const ref = await start(engine, testJob('image', 'plain'));
  expect(await engine.poll(ref, context)).toEqual({ state: 'queued', position: 3 });
  expect(paths).toEqual(['POST /test/picture/turbo', 'GET /a/b/requests/1/status']);
  expect(heard).toEqual([]);
  await Promise.all([engine.close(), other.close(), queue.close()]);
});

test.each([
  ['the output', 40, 'x-fal-object-lifecycle-preference'],
  ['an uploaded file', 400, 'x-fal-object-lifecycle'],
])('a submit asks fal to keep %s for one day', async (_, side, header) => {
  const kept: (string | null)[] = [];
  const queue = await startTestService(
    async request => (kept.push(request.headers.get(header)), json({})),
    () => {},
  );
  const engine = createFalEngine({ id: 'hosted', url: queue.url, secret }, { ...options, uploads: queue.url });
  const { inputs, remove } = await writePicture(await makeImage(side, side).png({ compressionLevel: 0 }).toBuffer());
  await expect(start(engine, testJob('image', 'plain', { inputs }))).rejects.toMatchObject({ code: 'engine_error' });
  expect(kept).toEqual(['{"expiration_duration_seconds":86400}']);
  await Promise.all([engine.close(), queue.close(), remove()]);
});

test('a probe reports a wrong key', async () => {
  const { engine, connect, close } = await rig();
  expect(await engine.probe()).toMatchObject({ ok: true, models: expect.arrayContaining(['test/film']) });
  const wrong = connect('wrong');
  expect(await wrong.probe()).toMatchObject({ ok: false, detail: expect.stringContaining('needs a different secret') });
  await wrong.close();
  await close();
});

const { FAL_KEY: key, FAL_TEST_MODEL: model = 'fal-ai/flux/schnell' } = process.env;
if (key)
  testLive(`fal ${model}`, {
    url: 'https://queue.fal.run',
    secret: key,
    connect: (url, { answerMs }) =>
      createFalEngine(
        { id: 'live', url, secret: key },
        { ...FalOptions.parse({ serves: [{ architecture: 'image', model }] }), answerMs },
      ),
  });
