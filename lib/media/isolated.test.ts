import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { timesReached } from '#lib/limits';
import { isolated, keepReadyForOutput, prepareForOutput } from '#lib/media/isolated';
import { makeImage } from '#lib/media/media-test-files';
import { decoders } from '#lib/media/test-decoders';
import { printedWithoutDescriptors } from '#lib/process/test-descriptors';

process.env.LOG_LEVEL = 'silent';
process.env.OF_THE_DEPLOYMENT = 'a secret';
const processors = Math.max(2, availableParallelism());
Object.assign(process.env, { LIMIT_DECODES: String(Math.max(4, processors)), LIMIT_DECODES_PER_ACCOUNT: '500' });
const folder = mkdtempSync(join(tmpdir(), 'pomona-isolated-'));
const path = join(folder, 'a.png');
writeFileSync(path, await makeImage(40, 30).png().toBuffer());
const probe = { do: 'probe', path, type: 'image/png' } as const;
const UNUSABLE = { name: 'UnusableMedia' };

test('the steps of an output run in the processes prepared for it', async () => {
  await Promise.all([prepareForOutput('image'), prepareForOutput('video')]);
  const prepared = decoders();
  expect(prepared).toHaveLength(3);
  const tags = { architecture: 'mango', modelId: 'mango', prompt: 'a plum', seed: 1, settings: {} };
  await Promise.all([
    isolated({
      do: 'finish',
      path,
      to: join(folder, 'finished.png'),
      kind: 'image',
      tags,
      sound: { seconds: 0, sampleRate: 0 },
    }),
    isolated({ do: 'renditions', path, kind: 'image', folder }),
    isolated({ do: 'classify', image: path }),
  ]);
  expect(decoders()).toEqual(prepared);
});

test('a decoder process does not inherit our environment', async () => {
  await isolated(probe);
  const begun = decoders();
  expect(begun.length).toBeGreaterThan(0);
  for (const pid of begun) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('OF_THE_DEPLOYMENT');
});

test('a full disk is reported as such, not as a fault of the file', async () => {
  const tags = { architecture: 'mango', modelId: 'mango', prompt: 'a plum', seed: 1, settings: {} };
  const sound = { seconds: 0, sampleRate: 0 };
  const finishing = isolated({ do: 'finish', path, to: '/dev/full', kind: 'image', tags, sound });
  await expect(finishing).rejects.toMatchObject({ code: 'ENOSPC' });
});

test('prepared processes are kept ready for an output for as long as it takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const letGo = keepReadyForOutput('image');
  await prepareForOutput('image');
  const ready = decoders();
  await vi.advanceTimersByTimeAsync(45_000);
  await vi.advanceTimersByTimeAsync(45_000);
  await prepareForOutput('image');
  expect(decoders()).toEqual(ready);
  const timers = vi.getTimerCount();
  letGo();
  expect(vi.getTimerCount()).toBe(timers - 1);
});

test('a process that cannot start fails only its own task', async () => {
  const printed = await printedWithoutDescriptors(`
    import { Decoder } from '#lib/media/decoder';
    takeAll();
    const told = new Decoder(500_000_000).run(${JSON.stringify(probe)}, AbortSignal.timeout(10_000));
    console.log(await told.catch(error => error.name + ' ' + error.message));
    await pause(100);
    console.log('goes on');`);
  expect(printed).toBe('DecoderKilled cannot be reached: spawn /bin/sh EMFILE\ngoes on\n');
});

test('a task that takes too long is ended without affecting another one', async () => {
  const slow = isolated(probe, { timeout: 1 });
  const other = isolated(probe);
  await expect(slow).rejects.toMatchObject({ ...UNUSABLE, message: expect.stringContaining('too long') });
  expect(await other).toMatchObject({ width: 40 });
});

test('an error in a process fails only its own task', async () => {
  const broken = isolated({ do: 'clip', path: '/nowhere', to: '/nowhere/b', maxSeconds: 1 });
  await expect(broken).rejects.toMatchObject(UNUSABLE);
  expect(await isolated(probe)).toMatchObject({ width: 40 });
});

test('many concurrent tasks are all completed', async () => {
  const done = await Promise.all(Array.from({ length: 9 }, () => isolated(probe)));
  expect(done.every(facts => facts.height === 30)).toBe(true);
});

test('one account cannot occupy every processor', async () => {
  const met = timesReached('LIMIT_DECODES_PER_ACCOUNT');
  await Promise.all(Array.from({ length: processors }, () => isolated(probe, { account: 'ana' })));
  expect(timesReached('LIMIT_DECODES_PER_ACCOUNT')).toBe(met + 1);
});

test('images that wait for the one classifier do not count as reaching LIMIT_DECODES', async () => {
  const met = timesReached('LIMIT_DECODES');
  await Promise.all([isolated({ do: 'classify', image: path }), isolated({ do: 'classify', image: path })]);
  expect(timesReached('LIMIT_DECODES')).toBe(met);
});

test('an idle process ends after a minute, independently of the wall clock', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await isolated(probe);
  const resting = decoders().length;
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await vi.waitUntil(() => decoders().length < resting, 10_000);
});
