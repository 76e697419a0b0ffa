import { and, eq, isNull, sql } from 'drizzle-orm';
import { refreshAbilities } from '#lib/catalog/engine-abilities';
import { db, pool } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { PREVIEW, servingOf } from '#lib/engines/serving';
import { env } from '#lib/env';
import { finish } from '#lib/life/finish';
import { liveIn } from '#lib/status';

/** An engine that is only being changed is back before that. */
const PATIENCE = '10 minutes';

/** Fails and refunds requests that wait in a line which no engine of this deployment serves any more. */
export async function failUnserved(): Promise<number> {
  await refreshAbilities();
  const { rows } = await pool().query<{ line: string; architecture: string; model_id: string }>(
    `select distinct line, architecture, model_id from requests
    where ${liveIn()} and worker is null and updated_at < now() - interval '${PATIENCE}'`,
  );
  let failed = 0;
  for (const { line, architecture, model_id } of rows) {
    const isServed = line === PREVIEW ? env().PREVIEW !== 'off' : servingOf(architecture, model_id)?.line === line;
    if (isServed) continue;
    const model = and(eq(requests.line, line), eq(requests.modelId, model_id));
    const waiting = and(sql.raw(liveIn()), model, isNull(requests.worker));
    const message = 'The model was taken out of service before its turn came. The gems were refunded.';
    failed += (await finish(waiting, { status: 'failed', message, cause: `nothing serves ${line}` }, db())).length;
  }
  return failed;
}
