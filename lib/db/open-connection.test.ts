import { expect, test } from 'vitest';
import { directAddress } from '#lib/db/address';
import { pool } from '#lib/db/client';
import { openConnection } from '#lib/db/open-connection';
import { useOwnDatabase } from '#lib/db/test-database';

await useOwnDatabase();

test('a direct connection uses its own statement timeout instead of the one set on the database', async () => {
  const { rows } = await pool().query<{ name: string }>('select current_database() as name');
  await pool().query(`alter database ${rows[0]!.name} set statement_timeout = '15s'`);
  const limitOf = async (statementMs?: number) => {
    const client = await openConnection(directAddress(), { name: 'pomona-test', ...(statementMs && { statementMs }) });
    const answer = await client.query<{ statement_timeout: string }>('show statement_timeout');
    await client.end();
    return answer.rows[0]!.statement_timeout;
  };
  expect(await limitOf()).toBe('0');
  expect(await limitOf(600_000)).toBe('10min');
});
