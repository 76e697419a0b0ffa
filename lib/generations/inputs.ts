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

/** A file of the request went after it was accepted: that of a public character goes with the account that saved it. */
export class InputGone extends EngineError {
  /** For the account. */
  readonly words: string;

  constructor({ handle }: StoredInput) {
    super('invalid_input', 'an input is gone', false);
    this.words = `${handle ? `@${handle}` : 'A file of this request'} was deleted before the model could use it. Take another one and submit again; the gems were refunded.`;
  }
}

/** Makes the stored inputs readable as files for as long as the callback runs, in their order. */
export async function withInputFiles<T>(inputs: StoredInput[], use: (files: JobInput[]) => Promise<T>): Promise<T> {
  const found = await readInputs(inputs);
  const there = new Set(found.flatMap(({ media }) => (media.deletedAt ? [] : media.id)));
  const gone = inputs.find(({ mediaId }) => mediaId === null || !there.has(mediaId));
  if (gone) throw new InputGone(gone);
  const open = async ([input, ...rest]: InputWithMedia[], files: JobInput[]): Promise<T> => {
    if (!input) return use(files);
    const { role, handle, spare, media } = input;
    return storage().withFile(media.key, path =>
      open(rest, [...files, { role, path, contentType: media.contentType, handle, spare }]),
    );
  };
  return open(found, []);
}
