import { beginning } from '#lib/beginning';
import { COLLECTION_SIZE } from '#lib/contract/library-limits';
import type { ShownRequest } from '#lib/db/shown-request';
import { AppError } from '#lib/errors';
import { hasResult, type WithResult } from '#lib/generations/has-result';
import { listGenerations } from '#lib/generations/list';
import { nameOf } from '#lib/generations/name-of';
import { readWhole } from '#lib/generations/read';
import { toDetailWire } from '#lib/generations/to-wire';
import { zipFiles, type ZipFile } from '#lib/storage/zip-files';

/**
 * Streams a zip archive with the outputs of these requests of the account, or of a collection, and the JSON of each
 * request. Requests without an available output are left out. Throws `request_not_found` when none remains.
 */
export async function archiveGenerations(
  accountId: string,
  which: { ids: string[] } | { collection: string },
): Promise<ReadableStream<Uint8Array>> {
  // removed requests stay in their collection, and do not count towards its size
  const { data } = await listGenerations(accountId, { limit: COLLECTION_SIZE, removed: false, ...which });
  const chosen = data.filter(hasResult);
  if (chosen.length === 0) {
    throw new AppError('request_not_found', 'None of these requests belongs to the account and still has its media.');
  }
  return zipFiles(files(chosen));
}

async function* files(chosen: WithResult<ShownRequest>[]): AsyncGenerator<ZipFile> {
  for (const generation of chosen) {
    const { result, finishedAt, createdAt } = generation;
    const name = fileName(generation);
    const lastModified = finishedAt ?? createdAt;
    const extension = result.key.slice(result.key.lastIndexOf('.'));
    yield { name: name + extension, lastModified, key: result.key, bytes: result.bytes };
    for (const whole of await readWhole([generation]))
      yield { name: `${name}.json`, lastModified, text: JSON.stringify(await toDetailWire(whole), null, 2) };
  }
}

/** Makes a unique file name from the day, the first words and the end of the id. */
function fileName(generation: ShownRequest): string {
  const { id, createdAt } = generation;
  const words = beginning(nameOf(generation).replaceAll(/[^\p{L}\p{N}]+/gu, '-'), 48).replaceAll(/^-+|-+$/g, '');
  return [createdAt.toISOString().slice(0, 10), words, id.slice(-8)].filter(Boolean).join(' ');
}
