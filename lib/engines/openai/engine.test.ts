import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { testEngine } from '#lib/engines/compliance';
import type { Engine, EngineTraits } from '#lib/engines/engine';
import { testJob } from '#lib/engines/remote/job-test-data';
import { context, endOf, start } from '#lib/engines/remote/remote-test-rig';
import { createOpenaiEngine } from '#lib/engines/openai/engine';
import { startOpenai } from '#lib/engines/openai/openai-test-server';
import { OpenaiOptions } from '#lib/engines/openai/options';
import { makeImage } from '#lib/media/media-test-files';

const secret = 'sk-hush-hush';
/** Parameters that most models take, for a live server whose model is unknown. */
const LIVE = { seed: { from: 'seed' }, num_inference_steps: { from: 'config.steps' } };
const LARGE = { ...testJob('image', '').output, width: 512, height: 512 };
const seed = { from: 'seed' };
const pictures = OpenaiOptions.parse({
  serves: [
    { architecture: 'image', call: 'images', model: 'test-model', parameters: { seed } },
    { architecture: 'audio', call: 'speech' },
    { architecture: 'missing', call: 'images', model: 'no-such-model' },
  ],
});
const videos = OpenaiOptions.parse({
  serves: [{ architecture: 'video', call: 'videos', parameters: { seed } }],
});

/** Traits of calls that respond with the file itself, whose jobs end with the call. */
const ANSWERED: EngineTraits = {
  clientChosenId: false,
  resumable: false,
  cancelQueued: true,
  cancelRunning: true,
  progress: 'none',
};

testEngine('openai images and speech', ANSWERED, async () => {
  const server = await startOpenai({ secret });
  return {
    url: server.url,
    secret,
    connect: (url, { answerMs }) =>
      createOpenaiEngine({ id: 'box', url, secret }, { ...pictures, answerMs, pollMs: 10 }),
    jobs: {
      plain: testJob('image', 'plain'),
      long: testJob('image', 'long'),
      more: [testJob('audio', 'plain')],
      two: testJob('image', 'two'),
      none: testJob('image', 'none'),
      huge: testJob('image', 'huge'),
      wrong: testJob('audio', 'wrong'),
      missing: { job: testJob('image', 'plain', { architecture: 'missing' }), name: 'no-such-model' },
      memory: testJob('image', 'memory'),
    },
    restart: server.restart,
    submissions: () => server.asked.length,
    close: server.close,
  };
});

testEngine('openai videos', { ...ANSWERED, resumable: true, progress: 'coarse' }, async () => {
  const server = await startOpenai({ secret });
  return {
    url: server.url,
    secret,
    connect: (url, { answerMs }) =>
      createOpenaiEngine({ id: 'box', url: `${url}/v1`, secret }, { ...videos, answerMs, pollMs: 10 }),
    jobs: {
      plain: testJob('video', 'plain'),
      long: testJob('video', 'long'),
      memory: testJob('video', 'memory'),
    },
    restart: server.restart,
    submissions: () => server.asked.length,
    close: server.close,
  };
});

const closed: (() => unknown)[] = [];
afterAll(() => Promise.all(closed.map(close => close())));

/** Creates an engine for a server that responds with `answers`. */
async function engineOf(answers: RequestListener, options = pictures): Promise<Engine> {
  const server = createServer(answers).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const engine = createOpenaiEngine({ id: 'box', url, secret }, options);
  closed.push(
    () => engine.close(),
    () => server.close().closeAllConnections(),
  );
  return engine;
}

const PNG = await makeImage(20, 10).png().toBuffer();

test.each([
  [undefined, 20],
  ['data.1', 30],
  ['data.1.b64_json', 30],
])('the result of a job with several images is the one at %s', async (output, width) => {
  const others = await makeImage(30, 10).png().toBuffer();
  const options = OpenaiOptions.parse({
    serves: [{ architecture: 'image', call: 'images', ...(output && { output }) }],
  });
  const data = [PNG, others].map(bytes => ({ b64_json: bytes.toString('base64') }));
  const engine = await engineOf((_, answer) => void answer.end(JSON.stringify({ data })), options);
  const last = await endOf(engine, await start(engine, testJob('image', 'a quay')));
  if (last.state !== 'succeeded') expect.fail(last.state);
  const bytes = await buffer(await engine.collect(last.output, context));
  expect(bytes.readUInt32BE(16)).toBe(width);
});

test.each<[string, (host: string) => object]>([
  ['base64', () => ({ b64_json: PNG.toString('base64'), url: null })],
  ['an address', (host: string) => ({ url: `http://${host}/generated/x.png` })],
  ['an address of its own', () => ({ url: '/generated/x.png' })],
  ['a data URL', () => ({ url: `data:image/png;base64,${PNG.toString('base64')}` })],
])('an image can be returned as %s', async (_, picture) => {
  const engine = await engineOf((asked, answer) => {
    if (asked.url === '/generated/x.png' && asked.headers.authorization === `Bearer ${secret}`)
      return void answer.end(PNG);
    answer.end(JSON.stringify({ created: 1, data: [picture(asked.headers.host!)] }));
  });
  const last = await endOf(engine, await start(engine, testJob('image', 'plain')));
  if (last.state !== 'succeeded') throw new Error(JSON.stringify(last));
  expect(last.output).toMatchObject({ contentType: 'image/png', width: 200, height: 160 });
  expect((await buffer(await engine.collect(last.output, context))).equals(PNG)).toBe(true);
});

test.each([
  ['nowhere public', 'http://10.0.0.1/x.png'],
  ['on this machine', 'file:///etc/passwd'],
])('an image that is located %s is not fetched', async (_, url) => {
  const engine = await engineOf((_, answer) => answer.end(JSON.stringify({ data: [{ url }] })));
  const last = await endOf(engine, await start(engine, testJob('image', 'plain')));
  const collected =
    last.state === 'succeeded'
      ? engine.collect(last.output, context)
      : Promise.reject((last as { error: Error }).error);
  await expect(collected).rejects.toMatchObject({ name: 'EngineError', code: 'engine_error' });
});

test('a content policy refusal is reported as invalid input', async () => {
  const server = await startOpenai({ secret });
  const engine = createOpenaiEngine({ id: 'box', url: server.url, secret }, pictures);
  closed.push(() => engine.close(), server.close);
  const last = await endOf(engine, await start(engine, testJob('image', 'refused')));
  expect(last).toMatchObject({ state: 'failed', error: { code: 'invalid_input', retryable: false } });
  expect((last as { error: Error }).error.message).toBe(
    'The content policy of the model refused the prompt or the media.',
  );
});

test('the progress of a video is limited to 1, and it is too late to cancel a deleted video', async () => {
  const film = JSON.stringify({ id: 'film', status: 'in_progress', progress: 120 });
  const engine = await engineOf(
    ({ method }, answer) => void answer.writeHead(method === 'DELETE' ? 404 : 200).end(film),
    videos,
  );
  const ref = await start(engine, testJob('video', 'plain'));
  expect(await engine.poll(ref, context)).toEqual({ state: 'running', progress: 1 });
  expect(await engine.cancel(ref)).toBe('too_late');
});

test.each([
  [500, 'the pipeline broke', { code: 'engine_error', retryable: true }],
  [503, 'CUDA out of memory', { code: 'out_of_memory', retryable: false }],
  [400, 'size must be divisible by 16', { code: 'invalid_input', retryable: false }],
  [404, 'the image was not found', { code: 'model_missing', retryable: false }],
])('a failed video that is answered with the status of its error, %d, has failed', async (code, message, error) => {
  const failed = { id: 'film', prompt: 'nsfw content', status: 'failed', error: { code, message } };
  const engine = await engineOf(
    ({ method }, answer) =>
      method === 'POST'
        ? void answer.end(JSON.stringify({ id: 'film', status: 'queued' }))
        : void answer.writeHead(code).end(JSON.stringify(failed)),
    videos,
  );
  const ref = await start(engine, testJob('video', 'plain'));
  expect(await engine.poll(ref, context)).toMatchObject({ state: 'failed', error });
  expect(await engine.cancel(ref)).toBe('too_late');
});

test.each([
  [undefined, '/v1/videos/film/content'],
  ['', '/v1/videos/film/content'],
  ['https://store.example/film.mp4', 'https://store.example/film.mp4'],
])('a finished video with the address %j is located at %s', async (url, location) => {
  const film = { id: 'film', status: 'completed', url };
  const engine = await engineOf((_, answer) => void answer.end(JSON.stringify(film)), videos);
  const ref = await start(engine, testJob('video', 'plain'));
  expect(await engine.poll(ref, context)).toMatchObject({ state: 'succeeded', output: { location } });
});

test('the code of a failed video may be a number', async () => {
  const failed = { id: 'film', status: 'failed', error: { code: 500, message: 'CUDA out of memory' } };
  const engine = await engineOf((_, answer) => void answer.end(JSON.stringify(failed)), videos);
  const ref = await start(engine, testJob('video', 'plain'));
  expect(await engine.poll(ref, context)).toMatchObject({ state: 'failed', error: { code: 'out_of_memory' } });
});

test('a server that has no state of a video, only an error, is asked again', async () => {
  let refused = false;
  const engine = await engineOf(
    (_, answer) =>
      void answer
        .writeHead(refused ? 500 : 200)
        .end(JSON.stringify(refused ? { detail: 'x' } : { id: 'f', status: '' })),
    videos,
  );
  const ref = await start(engine, testJob('video', 'plain'));
  refused = true;
  await expect(engine.poll(ref, context)).rejects.toMatchObject({ code: 'engine_error', retryable: true });
});

test('cancelling a video whose end the server does not wait for is a request', async () => {
  const film = JSON.stringify({ id: 'film', status: 'in_progress' });
  const engine = await engineOf(
    ({ method }, answer) => void answer.writeHead(method === 'DELETE' ? 409 : 200).end(film),
    videos,
  );
  expect(await engine.cancel(await start(engine, testJob('video', 'plain')))).toBe('requested');
});

test('the connection of a call is closed immediately when the call is cancelled or its worker stops', async () => {
  const calls: Promise<unknown>[] = [];
  const engine = await engineOf(
    asked => void calls.push(new Promise(gone => asked.on('error', () => {}).once('close', gone))),
  );
  const ref = await start(engine, testJob('image', 'x'));
  await expect.poll(() => calls.length).toBe(1);
  expect(await engine.cancel(ref)).toBe('cancelled');
  await calls[0];
  const worker = new AbortController();
  const other = await start(engine, testJob('image', 'x'), { signal: worker.signal });
  await expect.poll(() => calls.length).toBe(2);
  worker.abort();
  await calls[1];
  expect(await engine.poll(other, context)).toEqual({ state: 'cancelled' });
});

test('a failed or interrupted job can be submitted again in the same process', async () => {
  const worker = new AbortController();
  let count = 0;
  const engine = await engineOf((_, answer) => {
    if (++count === 1) return void answer.writeHead(503).end();
    if (count === 2) return worker.abort();
    answer.end(JSON.stringify({ data: [{ b64_json: PNG.toString('base64') }] }));
  });
  const job = testJob('image', 'x');
  const ref = await start(engine, job);
  expect(await endOf(engine, ref)).toMatchObject({ state: 'failed', error: { code: 'engine_unavailable' } });
  expect(await engine.poll(ref, context)).toEqual({ state: 'lost' });
  await start(engine, { ...job, claim: 2 }, worker);
  await expect.poll(() => worker.signal.aborted).toBe(true);
  expect(await endOf(engine, await start(engine, { ...job, claim: 3 }))).toMatchObject({ state: 'succeeded' });
});

test('an image is made again only after it was collected, and cannot be collected twice', async () => {
  let calls = 0;
  const engine = await engineOf((_, answer) => {
    calls++;
    answer.end(JSON.stringify({ data: [{ b64_json: PNG.toString('base64') }] }));
  });
  const job = testJob('image', 'x');
  for (const made of [1, 2]) {
    const last = await endOf(engine, await start(engine, job));
    if (last.state !== 'succeeded') expect.fail(last.state);
    // a job submitted twice before its output is collected is made once
    await start(engine, job);
    const bytes = await engine.collect(last.output, context);
    const gone = once(bytes, 'close');
    expect((await buffer(bytes)).equals(PNG)).toBe(true);
    await gone;
    expect(calls).toBe(made);
    await expect(engine.collect(last.output, context)).rejects.toThrow('collected before');
  }
});

test.each<[string, RequestListener]>([
  ['never comes', asked => asked.socket.destroy()],
  ['breaks off', (_, answer) => answer.writeHead(200).write('{"data":', () => answer.destroy())],
])('a submitted job whose answer %s fails without a retry, since it may have been charged', async (_, answers) => {
  const lost = { code: 'engine_unavailable', retryable: false };
  const called = await engineOf(answers);
  const last = await endOf(called, await start(called, testJob('image', 'x')));
  expect(last).toMatchObject({ state: 'failed', error: lost });
  const asked = await engineOf(answers, videos);
  await expect(start(asked, testJob('video', 'x'))).rejects.toMatchObject(lost);
});

test('a job for an architecture that is not served is rejected as model_missing', async () => {
  const engine = await engineOf((_, answer) => answer.end());
  await expect(start(engine, testJob('image', 'x', { architecture: 'other' }))).rejects.toMatchObject({
    code: 'model_missing',
  });
});

const { OPENAI_BASE_URL: live, OPENAI_API_KEY: key, OPENAI_TEST_MODEL: model } = process.env;
if (live)
  testEngine(`openai at ${live}`, ANSWERED, async () => ({
    url: live.replace(/\/v1\/?$/, ''),
    ...(key && { secret: key }),
    connect: (url, { answerMs }) =>
      createOpenaiEngine(
        { id: 'live', url, ...(key && { secret: key }) },
        {
          ...OpenaiOptions.parse({ serves: [{ architecture: 'image', call: 'images', model, parameters: LIVE }] }),
          answerMs,
        },
      ),
    jobs: {
      plain: testJob('image', 'a red cube on a table', { output: LARGE, config: { steps: 4 } }),
      long: testJob('image', 'a red cube on a table', { output: LARGE, config: { steps: 200 } }),
    },
    close: async () => {},
  }));
