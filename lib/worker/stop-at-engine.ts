import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { findServer } from '#lib/engines/registry';
import { orAborted } from '#lib/process/or-aborted';

/** Tells the engine to stop the job of a request that ended without it. A server that is gone has nothing to stop. */
export async function stopAtEngine(requestId: string, stopped: AbortSignal): Promise<void> {
  const [row] = await db()
    .select({ server: requests.server, engineRef: requests.engineRef })
    .from(requests)
    .where(eq(requests.id, requestId));
  const server = row?.server ? findServer(row.server) : null;
  const ref = row?.engineRef;
  if (server && ref)
    await orAborted(
      server.use(engine => engine.cancel(ref)),
      stopped,
    );
}
