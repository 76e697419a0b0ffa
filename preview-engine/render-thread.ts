import { writeFile } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import type { EngineJob, EngineOutput } from '#lib/engines/engine';
import { tagsOf } from '#lib/media/media-tags';
import { systemFaultOf, type SystemFault } from '#lib/process/disk-away';

export interface RenderTask {
  job: EngineJob;
  /** The file to write. */
  path: string;
  /** Gets the share done, 0..1. */
  port: MessagePort;
  /** Shared, each 0 or 1: what `STOP` and `LOADING` say. */
  flags: Int32Array;
}

/** Nobody wants the file any more. */
export const STOP = 0;
/** The codecs of video and audio are being loaded: a thread that is ended meanwhile takes the whole process with it. */
export const LOADING = 1;

/** Errors cross the thread as data: a cloned error loses its class, its code and its path. */
export type RenderResult = { output: EngineOutput } | { fault: Fault };

interface Fault extends SystemFault {
  message: string;
}

/** Tells the share done. Throws when the job is to stop: renderers report between their steps, never inside a codec. */
type Report = (done: number) => void;

/** Runs one job in a worker thread. Each kind loads only what it needs. */
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

/** Before anything else needs them, so that their load is the one moment that has to be let pass. */
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
  // one of another shape is cut to the output's
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
