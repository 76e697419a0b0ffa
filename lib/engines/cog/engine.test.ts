import { expect, onTestFinished, test, vi } from 'vitest';
import { createCogEngine } from '#lib/engines/cog/engine';
import { CogOptions } from '#lib/engines/cog/options';
import { startCog } from '#lib/engines/cog/cog-test-server';
import { testEngine } from '#lib/engines/compliance';
import type { Engine, EngineRef, EngineTraits, Snapshot } from '#lib/engines/engine';
import { testJob } from '#lib/engines/remote/job-test-data';
import { context, start, writePicture } from '#lib/engines/remote/remote-test-rig';
import { json, startTestService } from '#lib/engines/remote/service-test-server';
import { makeImage } from '#lib/media/media-test-files';

const secret = 'hush-hush';
const options = CogOptions.parse({
  serves: [
    {
      architecture: 'image',
      parameters: { image: { from: 'input.reference' }, num_inference_steps: { from: 'config.steps' } },
    },
    { architecture: 'video' },
    { architecture: 'audio' },
  ],
});

const TRAITS: EngineTraits = {
  clientChosenId: true,
  resumable: false,
  cancelQueued: false,
  cancelRunning: true,
  progress: 'coarse',
};

for (const coglet of [true, false])
  testEngine(coglet ? 'cog' : 'cog before coglet', TRAITS, async () => {
    const server = await startCog({ coglet, secret });
    const { inputs, remove } = await writePicture(await makeImage(80, 60).png().toBuffer());
    return {
      url: server.url,
      secret,
      connect: (url, { answerMs }) => createCogEngine({ id: 'box', url, secret }, { ...options, answerMs, pollMs: 10 }),
      jobs: {
        plain: testJob('image', 'plain'),
        long: testJob('image', 'long'),
        more: [testJob('video', 'film'), testJob('audio', 'sound'), testJob('image', 'with a picture', { inputs })],
        two: testJob('image', 'two'),
        none: testJob('image', 'none'),
        ...(coglet && { huge: testJob('image', 'huge') }),
        wrong: testJob('video', 'plain'),
        memory: testJob('image', 'memory'),
      },
      restart: server.restart,
      submissions: () => server.begun.length,
      close: async () => void (await Promise.all([server.close(), remove()])),
    };
  });

const connect = (url: string) => createCogEngine({ id: 'box', url, secret }, { ...options, pollMs: 10 });

async function watch(engine: Engine, ref: EngineRef): Promise<Snapshot[]> {
  const seen: Snapshot[] = [];
  for await (const snapshot of engine.watch!(ref, context)) seen.push(snapshot);
  return seen;
}

test('progress is read from the logs of a run', async () => {
  const server = await startCog({ coglet: true, secret });
  const engine = connect(server.url);
  const seen = await watch(engine, await start(engine, testJob('image', 'plain')));
  expect(seen.some(one => one.state === 'running' && (one.progress ?? 0) > 0)).toBe(true);
  expect(seen.at(-1)).toMatchObject({ state: 'succeeded' });
  expect(server.begun).toHaveLength(1);
  await engine.close();
  await server.close();
});

test.each([true, false])(
  'a run left behind by a closed engine does not block the next run (coglet: %s)',
  async coglet => {
    const server = await startCog({ coglet, secret });
    const [killed, next] = [connect(server.url), connect(server.url)];
    const job = testJob('image', 'long');
    await start(killed, job);
    await expect.poll(() => server.begun.length).toBe(1);
    // the run may outlive the worker
    await killed.close();
    const again = await start(next, { ...job, prompt: 'plain' });
    expect((await watch(next, again)).at(-1)).toMatchObject({ state: 'succeeded' });
    await next.close();
    await server.close();
  },
);

test.each([true, false])('a cancelled run also ends in the container (coglet: %s)', async coglet => {
  const server = await startCog({ coglet, secret });
  const engine = connect(server.url);
  const ref = await start(engine, testJob('image', 'long'));
  await expect.poll(() => server.begun.length).toBe(1);
  expect(await engine.cancel(ref)).toBe('cancelled');
  expect((await watch(engine, await start(engine, testJob('image', 'plain')))).at(-1)).toMatchObject({
    state: 'succeeded',
  });
  await engine.close();
  await server.close();
});

test('a job is queued while the container is busy, and runs afterwards', async () => {
  const server = await startCog({ coglet: true, secret });
  const engine = connect(server.url);
  const before = await start(engine, testJob('image', 'long'));
  await expect.poll(() => server.begun.length).toBe(1);
  const waiting = await start(engine, testJob('image', 'plain'));
  await expect.poll(async () => (await engine.poll(waiting, context)).state).toBe('queued');
  await engine.cancel(before);
  expect((await watch(engine, waiting)).at(-1)).toMatchObject({ state: 'succeeded' });
  await engine.close();
  await server.close();
});

test('a job does not wait without end for an abandoned run that cannot be stopped', async () => {
  const hung = await startTestService(
    async (_, route) => (route.startsWith('PUT') ? json({ id: 'x', status: 'processing', logs: '' }, 202) : json({})),
    () => {},
  );
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() * 5_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const engine = connect(hung.url);
  const [last] = (await watch(engine, await start(engine, testJob('image', 'x')))).slice(-1);
  expect(last).toMatchObject({ state: 'failed', error: { code: 'engine_unavailable', retryable: true } });
  await engine.close();
  await hung.close();
});

test('a job fails if its container failed to set up', async () => {
  const broken = await startTestService(
    async (_, route) => {
      if (route === 'GET /health-check') return json({ status: 'SETUP_FAILED' });
      return json({ error: 'Not ready', status: 'failed' }, 503);
    },
    () => {},
  );
  const engine = connect(broken.url);
  const [last] = (await watch(engine, await start(engine, testJob('image', 'x')))).slice(-1);
  expect(last).toMatchObject({
    state: 'failed',
    error: { code: 'engine_unavailable', message: expect.stringContaining('SETUP_FAILED') },
  });
  expect(await engine.probe()).toMatchObject({ ok: false });
  await engine.close();
  await broken.close();
});

test('a cancellation that the container refuses during a health check rejects, and the run is cancelled', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const busy = await startTestService(
    async (_, route) => {
      if (route !== 'GET /health-check') return json({}, route.startsWith('PUT') ? 409 : 500);
      ask();
      await told;
      return json({ status: 'BUSY' });
    },
    () => {},
  );
  const engine = connect(busy.url);
  const ref = await start(engine, testJob('image', 'x'));
  await asked;
  await expect(engine.cancel(ref)).rejects.toMatchObject({ code: 'engine_error' });
  await expect.poll(async () => (await engine.poll(ref, context)).state).toBe('cancelled');
  tell();
  await engine.close();
  await busy.close();
});

const { COG_URL: live } = process.env;
if (live)
  testEngine(`cog at ${live}`, TRAITS, async () => ({
    url: live,
    connect: (url, { answerMs }) => createCogEngine({ id: 'live', url }, { ...options, answerMs }),
    jobs: {
      plain: testJob('image', 'a red cube on a table'),
      long: testJob('image', 'a red cube on a table', { config: { steps: 200 } }),
    },
    close: async () => {},
  }));
