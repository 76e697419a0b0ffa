import { pool, type Tx } from '#lib/db/client';
import { owe } from '#lib/db/owe';

/** Has a worker make the smaller forms of stored files, once their rows are there. */
export const orderForms = (tx: Tx, mediaIds: string[]): Promise<void> =>
  owe(
    tx,
    mediaIds.map(subjectId => ({ consumer: 'forms', subjectId })),
  );

/** Files that nobody ordered any for, as of earlier versions: the newest first, and so few that new ones hardly wait for them. */
export async function orderMissingForms(): Promise<number> {
  const { rowCount } = await pool().query(`
    insert into outbox (consumer, request_id, due_at)
    select 'forms', id, now() + (row_number() over (order by id desc)) * interval '5 seconds'
    from media where forms is null and kind in ('upload', 'entity') and deleted_at is null and (expires_at is null or expires_at > now())
      and not exists (select from outbox o where o.request_id = media.id and o.consumer = 'forms')
    order by id desc limit 100`);
  return rowCount ?? 0;
}
