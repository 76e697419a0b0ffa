import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredResult } from '#lib/db/schema';
import { EngineError, type Engine, type EngineContext, type EngineOutput } from '#lib/engines/engine';
import { newId } from '#lib/ids';
import type { Generation } from '#lib/life/generation';
import { isolated } from '#lib/media/isolated';
import { classifyImage, classifyVideo } from '#lib/media/nsfw';
import { expiryOf } from '#lib/media/lifetime';
import { UnusableMedia } from '#lib/media/unusable-media';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { newMediaKey } from '#lib/storage/media-key';
import { isMediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';
import { storePreview } from '#lib/worker/store-preview';

/** Pictures and sound that do not fit are encoded anew, which takes as long as it takes. */
const FINISH_MS = 900_000;

/** Brings an engine's output into the store, in the form that results have, and classified. Its row is written when the request settles. */
export async function storeOutput(
  generation: Generation,
  engine: Engine,
  output: EngineOutput,
  context: EngineContext,
): Promise<StoredResult> {
  const body = await engine.collect(output, context);
  if (output.finished) return store(generation, body, output);
  return inTemporaryFolder(async folder => {
    const [raw, finished] = [join(folder, 'raw'), join(folder, 'finished')];
    await pipeline(body, createWriteStream(raw), context);
    const facts = await finish(generation, raw, finished, context);
    return store(generation, createReadStream(finished), facts);
  });
}

type Facts = Pick<EngineOutput, 'contentType' | 'width' | 'height' | 'duration'>;

/** Takes out of a file what its engine put there, such as whole workflows, and makes it a PNG, MP4 or MP3 of ours. */
async function finish(generation: Generation, path: string, to: string, { signal }: EngineContext): Promise<Facts> {
  const { type: kind, architecture, modelId, prompt, seed, config } = generation;
  const { prompt: _prompt, seed: _seed, ...settings } = config;
  const tags = { architecture, modelId, prompt, seed, settings };
  try {
    const task = { do: 'finish', path, to, kind, tags } as const;
    const { contentType, width, height, duration } = await isolated(task, { signal, timeout: FINISH_MS });
    return { contentType, width: width ?? 0, height: height ?? 0, ...(duration !== null && { duration }) };
  } catch (cause) {
    if (!(cause instanceof UnusableMedia)) throw cause;
    throw new EngineError('engine_error', `what the engine made is no ${kind}: ${cause.message}`, false, { cause });
  }
}

async function store(generation: Generation, body: Readable, facts: Facts): Promise<StoredResult> {
  const { contentType, width, height, duration } = facts;
  if (!isMediaType(contentType)) throw new Error(`${contentType} is no media type`);
  const key = newMediaKey('result', contentType);
  const stored = await storage().put(key, body, contentType);
  try {
    const nsfw = await storage().withFile(key, path => isNsfw(path, generation.type));
    const expiresAt = expiryOf(generation.createdAt).toISOString();
    const preview = await storePreview(key, contentType);
    return {
      mediaId: newId(),
      key,
      contentType,
      bytes: stored.bytes,
      width,
      height,
      nsfw,
      expiresAt,
      ...(duration !== undefined && { duration }),
      ...(preview && { preview }),
    };
  } catch (error) {
    await storage().delete(key);
    throw error;
  }
}

/** Judged by a classifier that looks at the picture, or at frames spread over the video. Sound is never flagged. */
async function isNsfw(path: string, type: Generation['type']): Promise<boolean> {
  if (type === 'image') return (await classifyImage(path)).nsfw;
  return type === 'video' && (await classifyVideo(path)).nsfw;
}

/** Takes back what `storeOutput` stored, when the request was settled by somebody else. */
export async function dropOutput({ key, preview }: StoredResult): Promise<void> {
  await storage().delete(key);
  if (preview && 'key' in preview) await storage().delete(preview.key);
}
