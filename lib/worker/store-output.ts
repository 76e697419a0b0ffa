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
 * Stores an engine's output in its final form, with its NSFW classification and its renditions, which are made
 * concurrently. The media rows are written when the request is finished.
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
    // an image looks the same unfinished; videos and sound may be in formats that only the finishing step reads
    const looking = type === 'image' ? Promise.resolve(raw) : finishing.then(({ path }) => path);
    // waits for the store in an outage, since this folder may hold the only copy of a paid output
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

/** Classifies an image, or frames spread over a video. Sound is never flagged. */
async function isNsfw(path: string, type: Generation['type']): Promise<boolean> {
  if (type === 'image') return (await classifyImage(path)).nsfw;
  return type === 'video' && (await classifyVideo(path)).nsfw;
}

/** Tolerates a failure to make renditions: the output is stored without them. */
function bearNone(error: unknown): SmallForms {
  if (!(error instanceof UnusableMedia || error instanceof DecoderFailed)) throw error;
  log().warn({ err: error }, 'no renditions made of an output');
  return {};
}

/** Deletes what `storeOutput` stored, when the request became final without this output. */
export async function dropOutput({ key, renditions = [] }: StoredResult): Promise<void> {
  // the request may use the output after all, if the response to `finish` was lost
  if (await findMedia(key)) return;
  await takeBack([key, ...renditions.map(file => file.key)]);
}
