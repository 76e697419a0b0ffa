import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Decoder } from '#lib/media/decoder';
import { encodeStill, makeInterlacedPng, muxVp8 } from '#lib/media/hostile-media';
import { inspectMedia, normalizeFilm } from '#lib/media/inspect-media';
import { makeImage } from '#lib/media/media-test-files';

process.env.LOG_LEVEL = 'silent';
const folder = mkdtempSync(join(tmpdir(), 'pomona-hostile-'));
let files = 0;
const place = () => join(folder, `file-${files++}`);
const save = (bytes: Uint8Array) => {
  const path = place();
  writeFileSync(path, bytes);
  return path;
};
const unusable = (text: string) => ({ name: 'UnusableMedia', message: expect.stringContaining(text) });

/** The most that any process below this one holds while `work` is done, in megabytes. */
async function peakOfChildren(work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = () => {
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      try {
        const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
        const high = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
        if (Number(parent) === process.pid) peak = Math.max(peak, Number(high ?? 0) / 1000);
      } catch {
        // it ended meanwhile
      }
    }
  };
  const watch = setInterval(look, 5);
  await Promise.allSettled([work]);
  look();
  clearInterval(watch);
  return peak;
}

const onLinux = test.skipIf(process.platform !== 'linux');
const limits = { heapBytes: 128e6, bytes: 200e6 };
const never = new AbortController().signal;

onLinux('a small file that unpacks to a large picture meets the end of memory, and the process goes on', async () => {
  const decoder = new Decoder(limits);
  const large = decoder.run({ do: 'probe', path: save(makeInterlacedPng(8000)), type: 'image/png' }, never);
  const peak = peakOfChildren(large);
  await expect(large).rejects.toMatchObject(unusable('needs more memory'));
  expect(await peak).toBeLessThan(300);
  const small = save(await makeImage(40, 30).png().toBuffer());
  expect(await decoder.run({ do: 'probe', path: small, type: 'image/png' }, never)).toMatchObject({ width: 40 });
  decoder.kill();
});

onLinux('the JavaScript of a decoder has its end of memory too', async () => {
  const decoder = new Decoder({ heapBytes: 2e6, bytes: 200e6 });
  const path = save(await makeImage(40, 30).png().toBuffer());
  await expect(decoder.run({ do: 'probe', path, type: 'image/png' }, never)).rejects.toMatchObject({
    name: 'DecoderFailed',
  });
});

test('a decoder that nobody waits for any more is ended', async () => {
  const decoder = new Decoder(limits);
  const leave = new AbortController();
  const path = save(makeInterlacedPng(4000));
  const task = decoder.run({ do: 'probe', path, type: 'image/png' }, leave.signal);
  leave.abort(new Error('gone'));
  await expect(task).rejects.toThrow('gone');
  expect(decoder.isAlive).toBe(false);
});

const wish = { seconds: 2, fps: 24, maxSide: 640 };

onLinux('of a film that grows in the middle, what grew is passed over', async () => {
  const packets = [...encodeStill(64, 48, 38), ...encodeStill(10_000, 10_000)];
  const path = save(await muxVp8(packets, 20, [64, 48]));
  expect(await inspectMedia(path)).toMatchObject({ width: 64, height: 48, duration: expect.closeTo(2, 0) });
  const to = place();
  const film = normalizeFilm(path, to, wish);
  expect(await peakOfChildren(film)).toBeLessThan(250);
  await film;
  expect(await inspectMedia(to)).toMatchObject({ width: 64, height: 48, duration: expect.closeTo(2, 0) });
});

test('a film with more pictures than anybody needs is refused before it is decoded', async () => {
  const [key, still] = encodeStill(640, 480) as [Buffer, Buffer];
  const flood = [key, ...Array.from({ length: 5999 }, () => still)];
  const fast = save(await muxVp8(flood, 1000, [640, 480]));
  await expect(inspectMedia(fast)).rejects.toMatchObject(unusable('1000 pictures a second; at most 240'));
  const large = encodeStill(4096, 2304) as [Buffer, Buffer];
  const long = [large[0], ...Array.from({ length: 4999 }, () => large[1])];
  await expect(inspectMedia(save(await muxVp8(long, 100, [4096, 2304])))).rejects.toMatchObject(
    unusable('5000 pictures of 4096 × 2304 pixels'),
  );
});
