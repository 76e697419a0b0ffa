import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests, type LeftJob } from '#lib/db/schema';
import { findServer } from '#lib/engines/registry';
import { jobOf, type Task } from '#lib/life/outbox';
import { orAborted } from '#lib/process/or-aborted';

/** Tells the engine to stop the job of a request that ended or went on without it. A server that is gone has nothing to stop. */
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
