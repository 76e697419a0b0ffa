import { inArray } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, type StoredInput } from '#lib/db/schema';
import { EngineError, type JobInput } from '#lib/engines/engine';
import { storage } from '#lib/storage/store';

interface InputWithMedia extends StoredInput {
  media: typeof media.$inferSelect;
}

/** The stored inputs of a request with their media rows, in their order. */
export async function readInputs(inputs: StoredInput[]): Promise<InputWithMedia[]> {
  if (inputs.length === 0) return [];
  const ids = inputs.flatMap(input => input.mediaId ?? []);
  const rows = await db().select().from(media).where(inArray(media.id, ids));
  const byId = new Map(rows.map(row => [row.id, row]));
  return inputs.flatMap(input => {
    const row = input.mediaId === null ? undefined : byId.get(input.mediaId);
    return row ? [{ ...input, media: row }] : [];
  });
}

/** Makes the stored inputs readable as files for as long as the callback runs, in their order. */
export async function withInputFiles<T>(inputs: StoredInput[], use: (files: JobInput[]) => Promise<T>): Promise<T> {
  const found = await readInputs(inputs);
  if (found.length < inputs.length || found.some(input => input.media.deletedAt))
    throw new EngineError('invalid_input', 'an input is gone', false);
  const open = async ([input, ...rest]: InputWithMedia[], files: JobInput[]): Promise<T> => {
    if (!input) return use(files);
    const { role, handle, spare, media } = input;
    return storage().withFile(media.key, path =>
      open(rest, [...files, { role, path, contentType: media.contentType, handle, spare }]),
    );
  };
  return open(found, []);
}
