import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EngineError, type Engine, type EngineContext, type EngineJob, type EngineOutput } from '#lib/engines/engine';
import { asLostOutput } from '#lib/engines/engine-refusal';
import { isolated } from '#lib/media/isolated';
import { tagsOf } from '#lib/media/media-tags';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Pictures and sound that do not fit are encoded anew, which takes as long as it takes. */
const FINISH_MS = 900_000;

/** A file on this disk, as its bytes have it. */
type CollectedFile = Pick<EngineOutput, 'contentType' | 'width' | 'height' | 'duration'> & { path: string };

/** What was asked for, as far as it is written into what was made. */
type MadeFrom = Pick<EngineJob, 'architecture' | 'modelId' | 'prompt' | 'seed' | 'config' | 'output'>;

/**
 * Brings a finished output into `folder`: a PNG, MP4 or MP3 of ours, without what its engine put into it, such as whole
 * workflows. Throws `EngineError`.
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

/** Brings it into `folder` as its engine gives it: a hostile file. */
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

/** Writes what was fetched to `path` beside it, as `collectOutput` gives it. Throws `EngineError`. */
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
