import { pool } from '#lib/db/client';
import type { LeftJob, Mail, outbox } from '#lib/db/schema';
import { PREVIEW } from '#lib/engines/serving';
import type { Generation } from '#lib/life/generation';

/** A request that just ended, and whether a webhook of its account subscribes to that event (`heard`). */
type Finished = Generation & { heard: boolean };

/** Follow-up tasks of a finished request, by consumer. Each returns the id of its subject, or a falsy value. */
const FOLLOWING = {
  /** Cancels a job whose output is no longer wanted; `claim_generations` creates such tasks too. */
  engine: ({ id, status, engine, engineRef }: Finished) =>
    status !== 'completed' && engineRef !== null && engine !== PREVIEW && id,
  /** Sends the event to webhooks. */
  webhooks: ({ id, heard, webhook }: Finished) => (heard || webhook !== null) && id,
  /** Continues the run of a recipe. */
  runs: ({ runId }: Finished) => runId,
} as const satisfies Record<string, (finished: Finished) => string | false | null>;

/** All consumers: those above, and those for notices, mails, renditions and the data of deleted accounts. */
export const CONSUMERS = [
  ...(Object.keys(FOLLOWING) as (keyof typeof FOLLOWING)[]),
  'notices',
  'mails',
  'forms',
  'accounts',
] as const;
export type Consumer = (typeof CONSUMERS)[number];

/** Returns the outbox rows for the end of a request. */
export const followUps = (finished: Finished): (typeof outbox.$inferInsert)[] =>
  Object.entries(FOLLOWING).flatMap(([consumer, follows]) => {
    const subjectId = follows(finished);
    return subjectId ? [{ consumer, subjectId, ...(consumer === 'engine' && { job: jobOf(finished) }) }] : [];
  });

/** Returns the job that a request has or had at an engine. */
export const jobOf = ({ server, engineRef: ref }: Pick<Generation, 'server' | 'engineRef'>): LeftJob | null =>
  server !== null && ref ? { server, ref } : null;

/** An outbox task, leased to this process. */
export interface Task {
  id: number;
  /** Id of the ended request, its run, the notice, the stored file, the deleted account or the mail. */
  subjectId: string;
  /** Job to cancel; also null in tasks written by an older version. */
  job: LeftJob | null;
  /** Mail to send. */
  mail: Mail | null;
  /** 1 for the first try. */
  attempts: number;
}

/** Lease of a task; `prolongTasks` renews it. */
const LEASE = '60 seconds';

/** Maximum of the attempt counter, so that a task retried for days does not overflow the column. */
const MOST_COUNTED = 30_000;

/**
 * Maximum number of jobs of one server that a process cancels concurrently: a hanging server must not block the others.
 */
const AT_ONE_SERVER = 4;

/**
 * Leases due tasks of a consumer. Tasks with the same subject are taken in order, except those for different servers.
 * Tasks for a server that is down wait. Tasks in progress in this process (`underWay`) are not taken again.
 */
export async function takeTasks(consumer: Consumer, most: number, underWay: Iterable<number> = []): Promise<Task[]> {
  const { rows } = await pool().query<Task>({
    name: 'take_tasks',
    text: `
      update outbox set attempts = least(attempts + 1, ${MOST_COUNTED}), due_at = now() + interval '${LEASE}'
      where id = any(array(
        select id from outbox o where consumer = $1 and due_at <= now() and id <> all($3::bigint[])
          and not exists (select from outbox earlier
            where earlier.request_id = o.request_id and earlier.consumer = o.consumer and earlier.id < o.id
              and earlier.job ->> 'server' is not distinct from o.job ->> 'server')
          and not exists (select from servers s where s.id = o.job ->> 'server' and not s.ok)
          and (job is null or not exists (select from outbox busy
            where busy.id = any($3::bigint[]) and busy.job ->> 'server' = o.job ->> 'server' offset ${AT_ONE_SERVER - 1}))
        order by due_at limit $2 for update skip locked))
      returning id, request_id as "subjectId", job, mail, attempts`,
    values: [consumer, most, [...underWay]],
  });
  return rows;
}

/** Renews the leases of tasks in progress; otherwise other processes would repeat them and use up their attempts. */
export const prolongTasks = (underWay: Iterable<number>) =>
  pool().query(`update outbox set due_at = now() + interval '${LEASE}' where id = any($1)`, [[...underWay]]);

export const dropTask = ({ id }: Task) => pool().query('delete from outbox where id = $1', [id]);

/** Makes a task due again after `seconds`, and sets its attempt counter. */
export const postponeTask = ({ id }: Task, attempts: number, seconds: number) =>
  pool().query(`update outbox set attempts = $2, due_at = now() + $3 * interval '1 second' where id = $1`, [
    id,
    attempts,
    seconds,
  ]);
