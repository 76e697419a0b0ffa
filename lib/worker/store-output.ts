import type { SmallForms, StoredResult } from '#lib/db/schema';
import { fetchOutput, finishFetched } from '#lib/engines/collect-output';
import type { Engine, EngineContext, EngineOutput } from '#lib/engines/engine';
import { newId } from '#lib/ids';
import type { Generation } from '#lib/life/generation';
import { log } from '#lib/log';
import { DecoderFailed } from '#lib/media/decoder';
import { findMedia } from '#lib/media/find-media';
import { expiryOf } from '#lib/media/lifetime';
import { classifyImage, classifyVideo } from '#lib/media/nsfw';
import { UnusableMedia } from '#lib/media/unusable-media';
import { allOrNone } from '#lib/process/all-or-none';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { isMediaType, type MediaType } from '#lib/storage/media-types';
import { storeRenditions } from '#lib/worker/store-renditions';
import { StoredFiles, takeBack } from '#lib/worker/stored-files';

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
    const { type } = generation;
    const raw = await fetchOutput(engine, output, folder, context);
    const finishing = finishFetched(raw, output, generation, context);
    // a picture looks the same before it is finished; films and sound come in more formats than are read elsewhere
    const looking = type === 'image' ? Promise.resolve(raw) : finishing.then(({ path }) => path);
    // what was paid for is in this folder and may be nowhere else
    const stored = new StoredFiles(context.signal);
    try {
      const [{ path: _path, contentType, ...facts }, file, nsfw, renditions] = await allOrNone([
        finishing,
        finishing.then(({ path, contentType }) => stored.put('result', path, mediaTypeOf(contentType))),
        looking.then(path => isNsfw(path, type)),
        looking.then(path => storeRenditions(path, type, stored)).catch(bearNone),
      ]);
      const expiresAt = expiryOf(generation.createdAt).toISOString();
      return { ...file, ...facts, mediaId: newId(), contentType, nsfw, expiresAt, ...renditions };
    } catch (error) {
      await stored.drop();
      throw error;
    }
  });

function mediaTypeOf(contentType: string): MediaType {
  if (!isMediaType(contentType)) throw new Error(`${contentType} is no media type`);
  return contentType;
}

/** Judged by a classifier that looks at the picture, or at frames spread over the video. Sound is never flagged. */
async function isNsfw(path: string, type: Generation['type']): Promise<boolean> {
  if (type === 'image') return (await classifyImage(path)).nsfw;
  return type === 'video' && (await classifyVideo(path)).nsfw;
}

/** An output that has no smaller forms is still an output: none, and a line in the log. */
function bearNone(error: unknown): SmallForms {
  if (!(error instanceof UnusableMedia || error instanceof DecoderFailed)) throw error;
  log().warn({ err: error }, 'no smaller forms of an output');
  return {};
}

/** Takes back what `storeOutput` stored, when the request was settled without it. */
export async function dropOutput({ key, renditions = [] }: StoredResult): Promise<void> {
  // the answer that it was settled with it may have been lost
  if (await findMedia(key)) return;
  await takeBack([key, ...renditions.map(file => file.key)]);
}
