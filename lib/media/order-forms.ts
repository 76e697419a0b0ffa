import { pool, type Tx } from '#lib/db/client';
import { owe } from '#lib/db/owe';

/** Queues the smaller forms of stored files for a worker, as part of the transaction that stores the files. */
export const orderForms = (tx: Tx, mediaIds: string[]): Promise<void> =>
  owe(
    tx,
    mediaIds.map(subjectId => ({ consumer: 'forms', subjectId })),
  );

/** Queues the forms that files of earlier versions lack: the newest first, spread out so that new files hardly wait. */
export async function orderMissingForms(): Promise<number> {
  const { rowCount } = await pool().query(`
    insert into outbox (consumer, request_id, due_at)
    select 'forms', id, now() + (row_number() over (order by id desc)) * interval '5 seconds'
    from media where forms is null and kind in ('upload', 'entity') and deleted_at is null and (expires_at is null or expires_at > now())
      and not exists (select from outbox o where o.request_id = media.id and o.consumer = 'forms')
    order by id desc limit 100`);
  return rowCount ?? 0;
}
