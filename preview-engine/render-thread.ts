import { writeFile } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import type { EngineJob, EngineOutput } from '#lib/engines/engine';
import { tagsOf } from '#lib/media/media-tags';
import { systemFaultOf, type SystemFault } from '#lib/process/disk-away';

export interface RenderTask {
  job: EngineJob;
  /** Path of the file to write. */
  path: string;
  /** Receives the progress, 0 to 1. */
  port: MessagePort;
  /** Shared flags, each 0 or 1, at the indices `STOP` and `LOADING`. */
  flags: Int32Array;
}

/** Index of the flag, set by the engine, that tells the thread to stop. */
export const STOP = 0;
/** Index of the flag, set by the thread while it loads the codecs: terminating it then would crash the process. */
export const LOADING = 1;

/** A result, or an error as data: a cloned error would lose its class, code and path. */
export type RenderResult = { output: EngineOutput } | { fault: Fault };

interface Fault extends SystemFault {
  message: string;
}

/** Reports the progress, 0 to 1. Throws when the job must stop, so it is called between steps, never inside a codec. */
type Report = (done: number) => void;

/** Renders one job in a worker thread. Each output type loads only the modules it needs. */
export default async function renderJob({ job, path, port, flags }: RenderTask): Promise<RenderResult> {
  const report: Report = done => {
    if (Atomics.load(flags, STOP)) throw new Error('stopped');
    port.postMessage(done);
  };
  try {
    report(0);
    if (job.output.type !== 'image') await loadCodecs(flags);
    report(0);
    return { output: { ...(await RENDERERS[job.output.type](job, path, report)), finished: true } };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { fault: { message, ...systemFaultOf(error) } };
  } finally {
    port.close();
  }
}

/** Loads the codecs before any other module needs them, so that `LOADING` covers all of their loading. */
async function loadCodecs(flags: Int32Array): Promise<void> {
  Atomics.store(flags, LOADING, 1);
  await import('node-av/lib');
  Atomics.store(flags, LOADING, 0);
}

const RENDERERS = { image: renderImageFile, video: renderVideoFile, audio: renderAudioFile } as const;

async function renderImageFile(job: EngineJob, path: string, report: Report): Promise<EngineOutput> {
  const { renderImage } = await import('#preview-engine/render-image');
  const { encodeImage } = await import('#lib/media/encode-image');
  const picture = await renderImage(job, done => report(done * 0.9));
  await writeFile(path, await encodeImage(picture, tagsOf(job)));
  return { contentType: 'image/png', location: path, width: picture.width, height: picture.height };
}

async function renderVideoFile(job: EngineJob, path: string, report: Report): Promise<EngineOutput> {
  const { createFrames } = await import('#preview-engine/frames');
  const { paintedSize } = await import('#preview-engine/raster');
  const { encodeVideo } = await import('#lib/media/encode-video');
  const { width, height, fps } = job.output;
  const count = Math.round(job.output.duration * fps);
  const file = job.inputs.find(input => input.role === 'source_video')?.path;
  const drawn = paintedSize(job.output);
  // a source of another aspect ratio is cropped to that of the output
  const maxSide = Math.max(drawn.width, drawn.height, 1024);
  using source = file ? (await import('#lib/media/open-source-video')).openSourceVideo(file, maxSide) : null;
  const frames = await createFrames(job, source ? async seconds => source.frameAt(seconds) : undefined);
  const sound = job.output.sound ? await (await import('#preview-engine/sound')).synthesizeSound(job) : null;
  await encodeVideo(
    path,
    {
      width,
      height,
      fps,
      drawn,
      count,
      draw: async (index, into) => {
        await frames.draw(index, into);
        report((index + 1) / count);
      },
    },
    sound,
    tagsOf(job),
  );
  return { contentType: 'video/mp4', location: path, width, height, duration: count / fps };
}

async function renderAudioFile(job: EngineJob, path: string, report: Report): Promise<EngineOutput> {
  const { synthesizeSound } = await import('#preview-engine/sound');
  const { encodeAudio } = await import('#lib/media/encode-audio');
  report(0.05);
  const sound = await synthesizeSound(job);
  report(0.7);
  encodeAudio(path, sound, tagsOf(job));
  return {
    contentType: 'audio/mpeg',
    location: path,
    width: 0,
    height: 0,
    duration: sound.left.length / sound.sampleRate,
  };
}
