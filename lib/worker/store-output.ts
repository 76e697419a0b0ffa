import type { StoredResult } from '#lib/db/schema';
import type { Engine, EngineContext, EngineOutput } from '#lib/engines/engine';
import { newId } from '#lib/ids';
import type { Generation } from '#lib/life/generation';
import { classifyImage, classifyVideo } from '#lib/media/nsfw';
import { expiryOf } from '#lib/media/lifetime';
import { newMediaKey } from '#lib/storage/media-key';
import { isMediaType } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';
import { storePreview } from '#lib/worker/store-preview';

/** Brings an engine's output into the store, classified. Its row is written when the request settles. */
export async function storeOutput(
  generation: Generation,
  engine: Engine,
  output: EngineOutput,
  context: EngineContext,
): Promise<StoredResult> {
  const { contentType, width, height, duration } = output;
  if (!isMediaType(contentType)) throw new Error(`engine ${engine.id} made ${contentType}, which is no media type`);
  const key = newMediaKey('result', contentType);
  const stored = await storage().put(key, await engine.collect(output, context), contentType);
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
