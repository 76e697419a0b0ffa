import { expect, onTestFinished } from 'vitest';
import { pool } from '#lib/db/client';

/** For a test: terminates the connections of the next `times` updates of `requests` rows that match `when`. */
export async function cutConnections(times: number, when: string): Promise<void> {
  onTestFinished(async () => void (await pool().query('drop trigger cut on requests')));
  await pool().query(`
    create sequence if not exists cuts; select setval('cuts', 1, false);
    create or replace function cut() returns trigger language plpgsql as $$ begin
      if nextval('cuts') <= ${times} then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create or replace trigger cut before update on requests for each row when (${when}) execute function cut()`);
}

/** Waits until the first connection was terminated. */
export const firstCut = () =>
  expect.poll(async () => (await pool().query('select is_called from cuts')).rows).toEqual([{ is_called: true }]);
