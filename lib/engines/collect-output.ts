import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EngineError, type Engine, type EngineContext, type EngineJob, type EngineOutput } from '#lib/engines/engine';
import { asLostOutput } from '#lib/engines/engine-refusal';
import { isolated } from '#lib/media/isolated';
import { tagsOf } from '#lib/media/media-tags';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Timeout for finishing an output; images and sound in other formats are re-encoded, which can be slow. */
const FINISH_MS = 900_000;

/** A finished file on the local disk, with facts measured from its bytes. */
type CollectedFile = Pick<EngineOutput, 'contentType' | 'width' | 'height' | 'duration'> & { path: string };

/** The parts of a job that determine how its output is finished, and that are written into its tags. */
type MadeFrom = Pick<EngineJob, 'architecture' | 'modelId' | 'prompt' | 'seed' | 'config' | 'output'>;

/**
 * Downloads an output into `folder` and converts it to a PNG, MP4 or MP3 with Pomona's tags, without the engine's own
 * metadata such as entire workflows. Throws `EngineError`.
 */
export async function collectOutput(
  engine: Engine,
  output: EngineOutput,
  from: MadeFrom,
  folder: string,
  context: EngineContext,
): Promise<CollectedFile> {
  return finishFetched(await fetchOutput(engine, output, folder, context), output, from, context);
}

/** Downloads an output into `folder` unchanged; the file is untrusted. */
export async function fetchOutput(
  engine: Engine,
  output: EngineOutput,
  folder: string,
  context: EngineContext,
): Promise<string> {
  const path = join(folder, 'raw');
  try {
    await pipeline(await engine.collect(output, context), createWriteStream(path), context);
  } catch (error) {
    throw asLostOutput(error);
  }
  return path;
}

/**
 * Converts the file that was fetched to `path` into a file beside it, as `collectOutput` does. Throws `EngineError`.
 */
export async function finishFetched(
  path: string,
  output: EngineOutput,
  { output: { type: kind, duration: seconds, sampleRate }, ...made }: MadeFrom,
  context: EngineContext,
): Promise<CollectedFile> {
  const { location: _location, finished, ...facts } = output;
  if (finished) return { path, ...facts };
  const to = `${path}.finished`;
  const task = { do: 'finish', path, to, kind, tags: tagsOf(made), sound: { seconds, sampleRate } } as const;
  try {
    const { contentType, width, height, duration } = await isolated(task, { ...context, timeout: FINISH_MS });
    return { path: to, contentType, width: width ?? 0, height: height ?? 0, ...(duration !== null && { duration }) };
  } catch (cause) {
    if (!(cause instanceof UnusableMedia)) throw cause;
    throw new EngineError(
      'engine_error',
      `what the engine made is no ${kind} that can be kept: ${cause.message}`,
      false,
      { cause },
    );
  }
}
