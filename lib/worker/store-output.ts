import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredRendition, StoredResult } from '#lib/db/schema';
import { collectOutput } from '#lib/engines/collect-output';
import type { Engine, EngineContext, EngineOutput } from '#lib/engines/engine';
import { newId } from '#lib/ids';
import type { Generation } from '#lib/life/generation';
import { log } from '#lib/log';
import { findMedia } from '#lib/media/find-media';
import { isolated } from '#lib/media/isolated';
import { expiryOf } from '#lib/media/lifetime';
import type { Rendition, Renditions } from '#lib/media/make-renditions';
import { classifyImage, classifyVideo } from '#lib/media/nsfw';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { newMediaKey } from '#lib/storage/media-key';
import { isMediaType, type MediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';

/**
 * Brings an engine's output into the store, in the form that results have, classified, and with its smaller forms; all of that
 * side by side. Its rows are written when the request is finished.
 */
export const storeOutput = (
  generation: Generation,
  engine: Engine,
  output: EngineOutput,
  context: EngineContext,
): Promise<StoredResult> =>
  inTemporaryFolder(async folder => {
    const from = { ...generation, kind: generation.type };
    const { path, contentType, width, height, duration } = await collectOutput(engine, output, from, folder, context);
    if (!isMediaType(contentType)) throw new Error(`${contentType} is no media type`);
    const stored = new Kept();
    try {
      const [file, nsfw, renditions] = await allOrNone([
        stored.put('result', path, contentType),
        isNsfw(path, generation.type),
        storeRenditions(path, contentType, folder, stored),
      ]);
      return {
        ...file,
        mediaId: newId(),
        contentType,
        width,
        height,
        nsfw,
        expiresAt: expiryOf(generation.createdAt).toISOString(),
        ...(duration !== undefined && { duration }),
        ...renditions,
      };
    } catch (error) {
      await stored.drop();
      throw error;
    }
  });

/** Judged by a classifier that looks at the picture, or at frames spread over the video. Sound is never flagged. */
async function isNsfw(path: string, type: Generation['type']): Promise<boolean> {
  if (type === 'image') return (await classifyImage(path)).nsfw;
  return type === 'video' && (await classifyVideo(path)).nsfw;
}

/** An output that has no smaller forms is still an output: none, and a line in the log. What was made is kept like the output. */
async function storeRenditions(
  path: string,
  type: MediaType,
  folder: string,
  stored: Kept,
): Promise<Pick<StoredResult, 'renditions' | 'peaks'>> {
  const { files, peaks } = await makeRenditions(path, type, join(folder, 'small'));
  const renditions = await Promise.all(files.map(file => storeRendition(file, stored)));
  return { ...(renditions.length > 0 && { renditions }), ...(peaks && { peaks }) };
}

async function makeRenditions(path: string, type: MediaType, folder: string): Promise<Renditions> {
  await mkdir(folder);
  return isolated({ do: 'renditions', path, type, folder }).catch((error: unknown) => {
    log().warn({ err: error, type }, 'no smaller forms of an output');
    return { files: [] };
  });
}

async function storeRendition({ path, ...facts }: Rendition, stored: Kept): Promise<StoredRendition> {
  return { mediaId: newId(), ...(await stored.put('preview', path, facts.contentType)), ...facts };
}

/** Files that go again when one of them cannot be kept. */
class Kept {
  readonly #keys: string[] = [];

  async put(folder: 'result' | 'preview', path: string, type: MediaType): Promise<{ key: string; bytes: number }> {
    const key = newMediaKey(folder, type);
    this.#keys.push(key);
    const { bytes } = await storage().put(key, createReadStream(path), type);
    return { key, bytes };
  }

  async drop(): Promise<void> {
    for (const key of this.#keys) await storage().delete(key);
  }
}

/** Like `Promise.all`, but nothing goes on any more when it rejects. */
async function allOrNone<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

/** Takes back what `storeOutput` stored, when the request was settled without it. */
export async function dropOutput({ key, renditions = [] }: StoredResult): Promise<void> {
  // the answer that it was settled with it may have been lost
  if (await findMedia(key)) return;
  for (const file of [{ key }, ...renditions]) await storage().delete(file.key);
}
