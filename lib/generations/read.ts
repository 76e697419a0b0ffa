import { sql } from 'drizzle-orm';
import type { RequestWire } from '#lib/contract/schemas';
import { batched } from '#lib/db/batched';
import { db } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';
import { fromRow, toRow } from '#lib/db/rows';
import type { ShownRequest } from '#lib/db/shown-request';
import type { Generation } from '#lib/life/generation';
import { findRefusal, toError, type Refusal } from '#lib/life/refusals';
import { singleton } from '#lib/singleton';

/** A request as it can be read: an accepted one, or a refused submit in the same shape. */
export type Readable = Generation & Refused;

/** The columns of a `Readable` that a Request object is made of. */
export type Shown = ShownRequest & Refused;

interface Refused {
  refused?: NonNullable<RequestWire['error']>;
}

/**
 * Returns a request of the account, or a submit that was refused under this id. Throws `request_not_found`, also for a
 * request of another account and for an invalid id.
 */
export async function getReadable(accountId: string, id: string): Promise<Readable> {
  const found = await findGeneration(accountId, id);
  if (found) return found;
  const refusal = isUuid(id) ? await findRefusal(accountId, id.toLowerCase()) : null;
  if (!refusal) throw new AppError('request_not_found', 'No request with this id belongs to the account.');
  return toReadable(refusal);
}

/** Returns an accepted request of the account. Throws `request_not_found` for others, and for a refused submit. */
export async function getGeneration(accountId: string, id: string): Promise<Generation> {
  const found = await getReadable(accountId, id);
  if (found.refused) throw new AppError('request_not_found', 'This request was refused and is not in the history.');
  return found;
}

async function findGeneration(accountId: string, id: string): Promise<Generation | null> {
  const found = isUuid(id) ? await findById(id.toLowerCase()) : null;
  return found?.accountId === accountId ? found : null;
}

const byIds = () =>
  singleton('generations.by-ids', () =>
    db()
      .select()
      .from(requests)
      .where(sql`${requests.id} = any(${sql.placeholder('ids')})`)
      .prepare('find_generations'),
  );

const findById = batched('generations', findAll);

/** Reads all columns of listed requests; those deleted meanwhile are left out. */
export const readWhole = async (listed: readonly ShownRequest[]): Promise<Generation[]> =>
  (await findAll(listed.map(({ id }) => id))).filter(found => found !== null);

async function findAll(ids: readonly string[]): Promise<(Generation | null)[]> {
  const rows = await byIds().execute({ ids });
  const found = new Map(rows.map(row => [row.id, row]));
  return ids.map(id => found.get(id) ?? null);
}

/** Converts a refused submit to the shape of a request that failed immediately and cost nothing. */
function toReadable(refusal: Refusal): Readable {
  const { requestId, accountId, architecture, modelId, type, prompt, removedAt, createdAt } = refusal;
  const { code, message, gems_required } = toError(refusal).toWire() as NonNullable<RequestWire['error']>;
  const times = { createdAt, finishedAt: createdAt, updatedAt: removedAt ?? createdAt, removedAt };
  const facts = { id: requestId, accountId, architecture, modelId, type, prompt, ...times };
  const nothing = { engine: '', line: '', body: {}, config: {}, seed: 0, gems: 0 };
  const output = { type, width: 0, height: 0, duration: 0, fps: 0, sound: false, sampleRate: 0 };
  const row = toRow(requests, { ...facts, ...nothing, output, status: 'failed' });
  return { ...fromRow(requests, row), refused: { code, message, gems_required } };
}
