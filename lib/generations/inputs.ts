import { inArray } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media, type StoredInput } from '#lib/db/schema';
import { EngineError, type JobInput } from '#lib/engines/engine';
import { storage } from '#lib/storage/store';

interface InputWithMedia extends StoredInput {
  media: typeof media.$inferSelect;
}

/** Returns the stored inputs of a request with their media rows, in order. Inputs without a row are left out. */
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

/** An input was deleted after acceptance, such as the image of a public character with its owner's account. */
export class InputGone extends EngineError {
  /** Message for the user. */
  readonly words: string;

  constructor({ handle }: StoredInput) {
    super('invalid_input', 'an input is gone', false);
    this.words = `${handle ? `@${handle}` : 'A file of this request'} was deleted before the model could use it. Take another one and submit again; the gems were refunded.`;
  }
}

/** Makes the stored inputs available as local files, in order, while `use` runs. Throws `InputGone`. */
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
