import { sql } from 'drizzle-orm';
import { batched } from '#lib/db/batched';
import { db, pool } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';
import type { Generation } from '#lib/generations/generation';
import { singleton } from '#lib/singleton';

/** The account's request; throws `request_not_found`, also for another account's and for what is no id. */
export async function getGeneration(accountId: string, id: string): Promise<Generation> {
  const found = isUuid(id) ? await findById(id.toLowerCase()) : null;
  if (found?.accountId === accountId) return found;
  throw new AppError('request_not_found', 'No request with this id belongs to the account.');
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

async function findAll(ids: readonly string[]): Promise<(Generation | null)[]> {
  const rows = await byIds().execute({ ids });
  const found = new Map(rows.map(row => [row.id, row]));
  return ids.map(id => found.get(id) ?? null);
}

/** Place in its engine's queue, from 1; counted up to 1,000. */
export async function queuePosition(generation: Generation): Promise<number> {
  const { rows } = await pool().query<{ ahead: number }>({
    name: 'queue_position',
    text: `select count(*)::int as ahead from (
      select from requests where engine = $1 and status = 'queued' and id < $2 limit 1000) earlier`,
    values: [generation.engine, generation.id],
  });
  return (rows[0]?.ahead ?? 0) + 1;
}
