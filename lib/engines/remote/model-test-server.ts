import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { makeAv } from '#lib/media/media-test-files';

/** Input of a run. Words in its prompt select its behaviour: plain, long, two, none, wrong, huge, memory, refused. */
export interface Asked {
  id: string;
  prompt: string;
  type: 'image' | 'video' | 'audio';
  seed?: number;
  width?: number;
  height?: number;
}

export interface Run extends Asked {
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  progress: number;
  error?: string;
  files: TestFile[];
  ended: Promise<Run>;
}

export interface TestFile {
  contentType: string;
  extension: string;
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Simulated model of a test server: one run at a time, identical output for identical seeds. */
interface TestModel {
  readonly runs: Map<string, Run>;
  submit(asked: Asked): Run;
  /** Cancels a run; false when it has ended or is unknown. */
  cancel(id: string): boolean;
  /** Returns the number of runs ahead of a run. */
  position(run: Run): number;
  isBusy(): boolean;
  /** Loses all runs, as a restart does. */
  forget(): void;
}

const STEPS = 4;
const STEP_MS = 15;
const HUGE = 210_000_000;

export function createTestModel(): TestModel {
  const runs = new Map<string, Run>();
  let line: Run[] = [];

  async function work(run: Run): Promise<Run> {
    while (run.state === 'queued' && line[0] !== run) await pause(5);
    for (let step = 1; run.state !== 'cancelled' && (run.prompt.includes('long') || step <= STEPS); step++) {
      run.state = 'running';
      run.progress = Math.min(0.9, step / STEPS);
      await pause(STEP_MS);
    }
    if (run.state !== 'cancelled') Object.assign(run, await outcome(run));
    line = line.filter(other => other !== run);
    return run;
  }

  return {
    runs,
    submit(asked) {
      const run: Run = { ...asked, state: 'queued', progress: 0, files: [], ended: Promise.resolve() as never };
      runs.set(asked.id, run);
      line.push(run);
      run.ended = work(run);
      return run;
    },
    cancel(id) {
      const run = runs.get(id);
      if (!run || !['queued', 'running'].includes(run.state)) return false;
      run.state = 'cancelled';
      return true;
    },
    position: run => line.indexOf(run),
    isBusy: () => line.length > 0,
    forget() {
      for (const run of line) run.state = 'cancelled';
      line = [];
      runs.clear();
    },
  };
}

async function outcome(run: Run): Promise<Partial<Run>> {
  if (run.prompt.includes('memory'))
    return { state: 'failed', error: 'CUDA out of memory. Tried to allocate 20.00 GiB' };
  if (run.prompt.includes('refused')) return { state: 'failed', error: 'NSFW content detected. Try another prompt.' };
  if (run.prompt.includes('none')) return { state: 'succeeded', files: [] };
  const file = await fileOf(run);
  return { state: 'succeeded', files: run.prompt.includes('two') ? [file, file] : [file] };
}

async function fileOf(run: Run): Promise<TestFile> {
  const type = run.prompt.includes('wrong') ? 'image' : run.type;
  if (type === 'video')
    return { contentType: 'video/mp4', extension: 'mp4', bytes: [await filmOf(64 + 2 * ((run.seed ?? 0) % 9))] };
  if (type === 'audio')
    return { contentType: 'audio/mpeg', extension: 'mp3', bytes: [await makeAv('mp3', { videos: 0 })] };
  const picture = await draw(run);
  return {
    contentType: 'image/png',
    extension: 'png',
    bytes: run.prompt.includes('huge') ? padded(picture) : [picture],
  };
}

const films = new Map<number, Promise<Buffer>>();
/** Returns a cached video, since a video contains its creation time and would differ each time. */
const filmOf = (width: number): Promise<Buffer> =>
  films.get(width) ?? films.set(width, makeAv('mp4', { width })).get(width)!;

/** Draws noise, so that the file is too long for a short string. */
async function draw({ seed = Math.random() * 2 ** 32, width = 200, height = 160 }: Run): Promise<Buffer> {
  let state = (seed >>> 0) + 1;
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = state >>> 24;
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

function* padded(picture: Buffer): Generator<Uint8Array> {
  yield Buffer.concat([picture, Buffer.alloc(3 - (picture.length % 3))]);
  const piece = Buffer.alloc(3 << 16);
  for (let left = HUGE - picture.length; left > 0; left -= piece.length) yield piece;
}

/** Encodes a file as base64 in chunks. Repeated chunks are encoded once, since memory use is measured. */
export async function* base64Of({ bytes }: TestFile): AsyncGenerator<Uint8Array> {
  const known = new Map<Uint8Array, Uint8Array>();
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    let text = rest.length ? undefined : known.get(chunk);
    if (!text) {
      const joined = Buffer.concat([rest, chunk]);
      const whole = joined.length - (joined.length % 3);
      text = Buffer.from(joined.toString('base64', 0, whole));
      rest = joined.subarray(whole);
      if (!rest.length && joined.length === chunk.length) known.set(chunk, text);
    }
    yield text;
  }
  yield Buffer.from(rest.toString('base64'));
}
