import { sendMail } from '#lib/accounts/mail';
import { announceEnd } from '#lib/generations/announce-end';
import { removeAccount } from '#lib/generations/delete-account';
import { CONSUMERS, dropTask, postponeTask, prolongTasks, takeTasks, type Consumer, type Task } from '#lib/life/outbox';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { isDiskAway } from '#lib/process/disk-away';
import { advanceRun } from '#lib/recipes/advance';
import { keepWorking, type Loop } from '#lib/worker/loop';
import { giveUpForms, makeForms } from '#lib/worker/make-forms';
import { isDiskOut } from '#lib/worker/room';
import { stopAtEngine } from '#lib/worker/stop-at-engine';
import { tellNotice } from '#lib/worker/tell-notice';

interface Handler {
  /** `stopped` lets long work end early when the process stops; another process then retries it. */
  handle: (subjectId: string, stopped: AbortSignal, task: Task) => Promise<void>;
  tries: number;
  atOnce: number;
  /** Maximum pause between tries, in seconds. */
  longestPause?: number;
  /** Whether an error is temporary, so that the task is not given up for it. Requires an even number of `tries`. */
  passes?: (error: unknown) => Promise<boolean>;
  /** Called when all tries have failed. */
  giveUp?: (subjectId: string) => Promise<void>;
}

/** Handlers by consumer. Each task is handled at least once, so handlers must be idempotent. */
const HANDLERS: Record<Consumer, Handler> = {
  // tried only while the server answers, which may be intermittent
  engine: { handle: stopAtEngine, tries: 10, atOnce: 20 },
  // only the database can fail this
  webhooks: { handle: announceEnd, tries: 100, atOnce: 50 },
  // a permanent error ends the run; temporary ones, such as an account at its limit, are waited out
  runs: { handle: advanceRun, tries: Infinity, atOnce: 10, longestPause: 15 },
  // enough tries for a mail server that is away for half an hour
  notices: { handle: tellNotice, tries: 12, atOnce: 10 },
  mails: { handle: (_id, _stopped, { mail }) => sendMail(mail!), tries: 12, atOnce: 10 },
  // few at a time, since results need the same decoders
  forms: { handle: makeForms, tries: 10, atOnce: 2, passes: isOut, giveUp: giveUpForms },
  // never given up: each try makes progress, and no other process would finish the deletion
  accounts: { handle: removeAccount, tries: Infinity, atOnce: 2, longestPause: 60 },
};

/** Pause before the second try; it doubles with each try, up to the longest pause. */
const FIRST_PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 600;

/** Interval at which leases are renewed: a third of the lease, so that up to two renewals may fail. */
const PROLONG_EVERY_MS = 20_000;

/** Works off the outbox with one loop per consumer, so that none delays another. `done` is called after each task. */
export function startOutbox(done: () => void): Loop {
  const stopped = new AbortController();
  const underWay = new Set<number>();
  const loops = CONSUMERS.map(consumer => workOff(consumer, underWay, stopped.signal, done));
  const prolonging = setInterval(() => {
    if (underWay.size === 0) return;
    prolongTasks(underWay).catch((error: unknown) => log().warn({ err: error }, 'lease of an outbox task not renewed'));
  }, PROLONG_EVERY_MS);
  return {
    wake: () => loops.forEach(loop => loop.wake()),
    async stop() {
      stopped.abort();
      await Promise.all(loops.map(loop => loop.stop()));
      clearInterval(prolonging);
    },
  };
}

function workOff(consumer: Consumer, underWay: Set<number>, stopped: AbortSignal, done: () => void): Loop {
  const { atOnce } = HANDLERS[consumer];
  // taken one by one, since `takeTasks` limits the tasks in progress per server
  const most = consumer === 'engine' ? 1 : atOnce;
  return keepWorking(`outbox ${consumer}`, atOnce, room => takeTasks(consumer, Math.min(room, most), underWay), work);

  async function work(task: Task): Promise<void> {
    underWay.add(task.id);
    await attempt(consumer, task, stopped).finally(() => underWay.delete(task.id));
    done();
  }
}

async function attempt(consumer: Consumer, task: Task, stopped: AbortSignal): Promise<void> {
  const { handle, tries, longestPause = LONGEST_PAUSE_SECONDS, passes, giveUp } = HANDLERS[consumer];
  const facts = { consumer, subject: task.subjectId, attempts: task.attempts };
  try {
    await handle(task.subjectId, stopped, task);
  } catch (error) {
    log().warn({ err: error, ...facts }, 'outbox task failed');
    // temporary errors use up at most half of the tries; the rest are for errors that follow
    const attempts = (await passes?.(error)) ? Math.min(task.attempts, tries / 2) : task.attempts;
    if (stopped.aborted || attempts < tries)
      return void (await postponeTask(
        task,
        attempts,
        Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), longestPause),
      ));
    log().error(facts, 'outbox task given up');
    await giveUp?.(task.subjectId);
  }
  await dropTask(task);
}

/** Whether the database, the store or this machine's disk is out. A disk error on a writable disk is permanent. */
async function isOut(error: unknown): Promise<boolean> {
  return isDiskAway(error) ? isDiskOut(error) : isOutage(error);
}
