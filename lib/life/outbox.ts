import { pool } from '#lib/db/client';
import type { LeftJob, Mail, outbox } from '#lib/db/schema';
import { PREVIEW } from '#lib/engines/serving';
import type { Generation } from '#lib/life/generation';

/** A request that just ended, and whether a webhook of its account hears of that. */
type Finished = Generation & { heard: boolean };

/** What can follow from an end, and of what it is done if so: data, so that one more consumer is one more line. */
const FOLLOWING = {
  /** Tells the engine to stop a job that nobody wants any more; `claim_generations` owes that, too. */
  engine: ({ id, status, engine, engineRef }: Finished) =>
    status !== 'completed' && engineRef !== null && engine !== PREVIEW && id,
  /** Tells webhooks. */
  webhooks: ({ id, heard, webhook }: Finished) => (heard || webhook !== null) && id,
  /** Goes on with the run of a recipe. */
  runs: ({ runId }: Finished) => runId,
} as const satisfies Record<string, (finished: Finished) => string | false | null>;

/** Those, what tells of notices, what sends mails, what makes smaller forms of files, and what removes the rest of deleted accounts. */
export const CONSUMERS = [
  ...(Object.keys(FOLLOWING) as (keyof typeof FOLLOWING)[]),
  'notices',
  'mails',
  'forms',
  'accounts',
] as const;
export type Consumer = (typeof CONSUMERS)[number];

/** The rows that the end of a request owes. */
export const followUps = (finished: Finished): (typeof outbox.$inferInsert)[] =>
  Object.entries(FOLLOWING).flatMap(([consumer, follows]) => {
    const subjectId = follows(finished);
    return subjectId ? [{ consumer, subjectId, ...(consumer === 'engine' && { job: jobOf(finished) }) }] : [];
  });

/** The job that a request has or had at an engine. */
export const jobOf = ({ server, engineRef: ref }: Pick<Generation, 'server' | 'engineRef'>): LeftJob | null =>
  server !== null && ref ? { server, ref } : null;

/** Something to do, taken for a while. */
export interface Task {
  id: number;
  /** The request that ended; its run; the notice that was raised; the file that was stored; the account that is deleted; the mail. */
  subjectId: string;
  /** What is to be stopped; null also where a version before this one wrote the task. */
  job: LeftJob | null;
  /** What is to be sent. */
  mail: Mail | null;
  /** 1 for the first try. */
  attempts: number;
}

/** How long a task is left to whoever took it, unless they say meanwhile that they are still at it. */
const LEASE = '60 seconds';

/** What waits for days is tried more often than the column counts. */
const MOST_COUNTED = 30_000;

/** Jobs of one server that are stopped at a time, from one process: it may hang, and others wait. */
const AT_ONE_SERVER = 4;

/**
 * Takes due tasks of a consumer: of each request, run or notice the oldest, so that they are done in order; jobs at several servers
 * have no order. A server that does not answer is told nothing until it does. What is under way here is not taken again, however
 * long it takes.
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

/** Tasks that are under way are left to this process for as long again: they would be done elsewhere too, and their tries used up. */
export const prolongTasks = (underWay: Iterable<number>) =>
  pool().query(`update outbox set due_at = now() + interval '${LEASE}' where id = any($1)`, [[...underWay]]);

export const dropTask = ({ id }: Task) => pool().query('delete from outbox where id = $1', [id]);

/** Lets the task be taken again after so many seconds, as one that was tried so often. */
export const postponeTask = ({ id }: Task, attempts: number, seconds: number) =>
  pool().query(`update outbox set attempts = $2, due_at = now() + $3 * interval '1 second' where id = $1`, [
    id,
    attempts,
    seconds,
  ]);
