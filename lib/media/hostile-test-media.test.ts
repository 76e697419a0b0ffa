import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { timesReached } from '#lib/limits';
import { Decoder } from '#lib/media/decoder';
import { encodeStill, makeInterlacedPng, muxVp8 } from '#lib/media/hostile-test-media';
import { inspectMedia, normalizeVideo } from '#lib/media/inspect-media';
import { makeImage } from '#lib/media/media-test-files';

process.env.LOG_LEVEL = 'silent';
process.env.LIMIT_DECODER_BYTES = '150000000';
process.env.LIMIT_LARGE_DECODER_BYTES = '300000000';
const folder = mkdtempSync(join(tmpdir(), 'pomona-hostile-'));
let files = 0;
const place = () => join(folder, `file-${files++}`);
const save = (bytes: Uint8Array) => {
  const path = place();
  writeFileSync(path, bytes);
  return path;
};
const unusable = (text: string) => ({ name: 'UnusableMedia', message: expect.stringContaining(text) });

/** Returns the peak memory of each child process, in megabytes, by process id. */
function heldByChildren(): Map<string, number> {
  const held = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
      const high = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
      if (Number(parent) === process.pid) held.set(pid, Number(high ?? 0) / 1000);
    } catch {
      // the process has ended meanwhile
    }
  }
  return held;
}

/** Returns the highest peak memory of a child process while `work` runs, in megabytes. */
async function peakOfChildren(work: Promise<unknown>): Promise<number> {
  const before = heldByChildren();
  let peak = 0;
  const look = () => {
    for (const [pid, held] of heldByChildren()) if (held > (before.get(pid) ?? 0)) peak = Math.max(peak, held);
  };
  const watch = setInterval(look, 5);
  await Promise.allSettled([work]);
  look();
  clearInterval(watch);
  return peak;
}

const onLinux = test.skipIf(process.platform !== 'linux');
const bytes = 200e6;
const never = new AbortController().signal;

onLinux('a small file that unpacks to a large image hits the memory limit, and the process continues', async () => {
  const decoder = new Decoder(bytes);
  const large = decoder.run({ do: 'probe', path: save(makeInterlacedPng(8000)), type: 'image/png' }, never);
  const peak = peakOfChildren(large);
  await expect(large).rejects.toMatchObject({ name: 'DecoderFailed', isSpent: true });
  expect(await peak).toBeLessThan(300);
  const small = save(await makeImage(40, 30).png().toBuffer());
  expect(await decoder.run({ do: 'probe', path: small, type: 'image/png' }, never)).toMatchObject({ width: 40 });
  decoder.kill();
});

onLinux('a file that needs more memory is decoded alone with a larger limit, or refused above that limit', async () => {
  const [large, tooLarge] = [save(makeInterlacedPng(8000)), save(makeInterlacedPng(10_000))];
  const met = () => (['LIMIT_DECODER_BYTES', 'LIMIT_LARGE_DECODER_BYTES'] as const).map(timesReached);
  expect(await inspectMedia(large)).toMatchObject({ width: 8000, height: 8000 });
  expect(met()).toEqual([1, 0]);
  const refused = inspectMedia(tooLarge);
  const peak = peakOfChildren(refused);
  await expect(refused).rejects.toMatchObject(unusable('needs more memory than decoding it may take'));
  expect(await peak).toBeLessThan(400);
  expect(met()).toEqual([2, 1]);
});

test('a decoder is ended when its task is aborted', async () => {
  const decoder = new Decoder(bytes);
  const leave = new AbortController();
  const path = save(makeInterlacedPng(4000));
  const task = decoder.run({ do: 'probe', path, type: 'image/png' }, leave.signal);
  leave.abort(new Error('gone'));
  await expect(task).rejects.toThrow('gone');
  expect(decoder.isAlive).toBe(false);
});

onLinux('a decoder that the system kills does not make its file unusable', async () => {
  const path = save(makeInterlacedPng(4000));
  const met = timesReached('LIMIT_DECODER_BYTES');
  const reading = inspectMedia(path);
  // kills the processes of both attempts
  const kill = () => [...heldByChildren().keys()].forEach(pid => process.kill(Number(pid), 'SIGKILL'));
  const killing = setInterval(kill, 20);
  const [ended] = await Promise.allSettled([reading]);
  clearInterval(killing);
  expect(ended).toMatchObject({ status: 'rejected', reason: { name: 'DecoderKilled', code: 'ENOMEM' } });
  expect(timesReached('LIMIT_DECODER_BYTES')).toBe(met);
  expect(await inspectMedia(path)).toMatchObject({ width: 4000 });
});

const wish = { seconds: 2, fps: 24, maxSide: 640 };

onLinux('frames that exceed the size of their video are skipped', async () => {
  const packets = [...encodeStill(64, 48, 38), ...encodeStill(8000, 8000)];
  const path = save(await muxVp8(packets, 20, [64, 48]));
  expect(await inspectMedia(path)).toMatchObject({ width: 64, height: 48, duration: expect.closeTo(2, 0) });
  const to = place();
  const film = normalizeVideo(path, to, wish);
  expect(await peakOfChildren(film)).toBeLessThan(250);
  await film;
  expect(await inspectMedia(to)).toMatchObject({ width: 64, height: 48, duration: expect.closeTo(2, 0) });
});

test('a video with too many frames is refused before it is decoded', async () => {
  const [key, still] = encodeStill(640, 480) as [Buffer, Buffer];
  const flood = [key, ...Array.from({ length: 5999 }, () => still)];
  const fast = save(await muxVp8(flood, 1000, [640, 480]));
  await expect(inspectMedia(fast)).rejects.toMatchObject(unusable('1000 frames a second; at most 240'));
  const large = encodeStill(4096, 2304) as [Buffer, Buffer];
  const long = [large[0], ...Array.from({ length: 4999 }, () => large[1])];
  await expect(inspectMedia(save(await muxVp8(long, 100, [4096, 2304])))).rejects.toMatchObject(
    unusable('5000 frames of 4096 × 2304 pixels'),
  );
});
