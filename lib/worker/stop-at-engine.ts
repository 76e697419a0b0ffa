import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests, type LeftJob } from '#lib/db/schema';
import { findServer } from '#lib/engines/registry';
import { jobOf, type Task } from '#lib/life/outbox';
import { orAborted } from '#lib/process/or-aborted';

/** Cancels the job of a request that ended or moved elsewhere. Does nothing when the server is no longer configured. */
export async function stopAtEngine(requestId: string, stopped: AbortSignal, task: Pick<Task, 'job'>): Promise<void> {
  const job = task.job ?? (await readJob(requestId));
  const server = job && findServer(job.server);
  if (server)
    await orAborted(
      server.use(engine => engine.cancel(job.ref)),
      stopped,
    );
}

async function readJob(requestId: string): Promise<LeftJob | null> {
  const [row] = await db()
    .select({ server: requests.server, engineRef: requests.engineRef })
    .from(requests)
    .where(eq(requests.id, requestId));
  return row ? jobOf(row) : null;
}
