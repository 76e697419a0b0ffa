import { expect, test } from 'vitest';
import { testEngine, writeInput, type EngineRig } from '#lib/engines/compliance';
import type { Engine, EngineJob, EngineRef, EngineTraits, Snapshot } from '#lib/engines/engine';
import { testJob } from '#lib/engines/remote/job-test-data';
import { makeImage } from '#lib/media/media-test-files';

// helpers shared by tests of engines that are remote services

export const context = { signal: new AbortController().signal };

export const start = (engine: Engine, job: EngineJob, { signal } = context): Promise<EngineRef> =>
  engine.submit(job, engine.reserve(job), { signal });

export async function endOf(engine: Engine, ref: EngineRef): Promise<Snapshot> {
  for await (const _ of engine.watch!(ref, context));
  return engine.poll(ref, context);
}

/** Writes an image and returns it as the reference input of a job. */
export async function writePicture(bytes: Uint8Array) {
  const { path, remove } = await writeInput(bytes, 'given.png');
  return { inputs: [{ role: 'reference' as const, path, contentType: 'image/png' }], remove };
}

/** Jobs for a service that makes images, videos and sounds. */
export const hostedJobs = (inputs: EngineJob['inputs']): EngineRig['jobs'] => ({
  plain: testJob('image', 'plain'),
  long: testJob('image', 'long'),
  more: [testJob('video', 'plain'), testJob('audio', 'plain'), testJob('image', 'plain', { inputs })],
  two: testJob('image', 'two'),
  none: testJob('image', 'none'),
  huge: testJob('image', 'huge'),
  wrong: testJob('video', 'wrong'),
  missing: { job: testJob('image', 'plain', { architecture: 'missing' }), name: 'no-such-model' },
  memory: testJob('image', 'memory'),
});

interface Opened {
  server: { readonly asked: readonly Record<string, unknown>[] };
  engine: Engine;
  close: () => Promise<void>;
}

/**
 * Tests that a service gets small images inside the request (as `member`) and large ones uploaded. `has` says whether
 * an upload at an address has these bytes.
 */
export const testUploads = <R extends Opened>(
  rig: () => Promise<R>,
  member: string,
  has: (server: R['server'], address: string, bytes: Buffer) => boolean,
): void =>
  test('a small image is sent inside the request, and a large one is uploaded before', async () => {
    const { server, engine, close } = await rig();
    for (const [side, where] of [
      [40, 'data:'],
      [400, 'http'],
    ] as const) {
      const bytes = await makeImage(side, side).png({ compressionLevel: 0 }).toBuffer();
      const { inputs, remove } = await writePicture(bytes);
      await start(engine, testJob('image', 'plain', { inputs }));
      const sent = String(server.asked.at(-1)![member]);
      expect(sent.startsWith(where)).toBe(true);
      if (where === 'http') expect(has(server, sent, bytes)).toBe(true);
      // a parameter with `as` is sent inline, however large the file is
      expect(server.asked.at(-1)!.packed).toBe(bytes.toString('base64'));
      await remove();
    }
    await close();
  });

/** Traits of a hosted service, which chooses job ids and keeps its jobs. */
export const HOSTED: EngineTraits = {
  clientChosenId: false,
  resumable: true,
  cancelQueued: true,
  cancelRunning: true,
  progress: 'coarse',
};

/** Tests the real service, when an API key is available. */
export const testLive = (name: string, { url, secret, connect }: Pick<EngineRig, 'url' | 'secret' | 'connect'>): void =>
  testEngine(name, HOSTED, async () => ({
    url,
    secret,
    elsewhere: true,
    connect,
    jobs: { plain: testJob('image', 'a red cube on a table'), long: testJob('image', 'a red cube on a table') },
    close: async () => {},
  }));
