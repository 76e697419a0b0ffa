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
  /** `stopped` is for what takes long: it is tried again elsewhere. */
  handle: (subjectId: string, stopped: AbortSignal, task: Task) => Promise<void>;
  tries: number;
  atOnce: number;
  /** Seconds. */
  longestPause?: number;
  /** Whether what failed a try ends by itself, however late: then nothing is given up. Half of the tries must be a whole number. */
  passes?: (error: unknown) => Promise<boolean>;
  /** What is left to do when all tries failed. */
  giveUp?: (subjectId: string) => Promise<void>;
}

/** What is done for each consumer. Done at least once: to do it again must change nothing. */
const HANDLERS: Record<Consumer, Handler> = {
  // tried while the server answers; it may come and go
  engine: { handle: stopAtEngine, tries: 10, atOnce: 20 },
  // nothing but the database can fail it
  webhooks: { handle: announceEnd, tries: 100, atOnce: 50 },
  // what speaks against a run for good ends it; what passes, such as a full account, is waited for
  runs: { handle: advanceRun, tries: Infinity, atOnce: 10, longestPause: 15 },
  // a mail server may be away for half an hour
  notices: { handle: tellNotice, tries: 12, atOnce: 10 },
  mails: { handle: (_id, _stopped, { mail }) => sendMail(mail!), tries: 12, atOnce: 10 },
  // results wait for the same decoders
  forms: { handle: makeForms, tries: 10, atOnce: 2, passes: isOut, giveUp: giveUpForms },
  // each try gets further, and nobody else would
  accounts: { handle: removeAccount, tries: Infinity, atOnce: 2, longestPause: 60 },
};

/** Pause before the next try: doubled each time, up to the longest. */
const FIRST_PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 600;

/** Twice in the time that a task is left to its worker, one of these may fail. */
const PROLONG_EVERY_MS = 20_000;

/** Works off what is owed: a loop for each consumer, so that none holds up another. `done` hears that something was. */
export function startOutbox(done: () => void): Loop {
  const stopped = new AbortController();
  const underWay = new Set<number>();
  const loops = CONSUMERS.map(consumer => workOff(consumer, underWay, stopped.signal, done));
  const prolonging = setInterval(() => {
    if (underWay.size === 0) return;
    prolongTasks(underWay).catch((error: unknown) => log().warn({ err: error }, 'what is owed not kept from others'));
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
  // one by one, where those that are under way at a server are counted
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
    log().warn({ err: error, ...facts }, 'what is owed failed');
    // what passes by itself uses up half of the tries at most: the others are for what comes after it
    const attempts = (await passes?.(error)) ? Math.min(task.attempts, tries / 2) : task.attempts;
    if (stopped.aborted || attempts < tries)
      return void (await postponeTask(
        task,
        attempts,
        Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), longestPause),
      ));
    log().error(facts, 'given up');
    await giveUp?.(task.subjectId);
  }
  await dropTask(task);
}

/** The database, the store or this machine's disk. What has no room where something can be written has none later, either. */
async function isOut(error: unknown): Promise<boolean> {
  return isDiskAway(error) ? isDiskOut(error) : isOutage(error);
}
