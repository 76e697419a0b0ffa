import { dropTask, postponeTask, takeTasks, CONSUMER_NAMES, type Consumer, type Task } from '#lib/life/outbox';
import { log } from '#lib/log';
import { keepLooking, type Loop } from '#lib/worker/loop';
import { stopAtEngine } from '#lib/worker/stop-at-engine';

/** What is done for each consumer. Done at least once: to do it again must change nothing. */
const HANDLERS: Record<Consumer, { handle: (requestId: string) => Promise<void>; tries: number; atOnce: number }> = {
  engine: { handle: stopAtEngine, tries: 5, atOnce: 20 },
};

/** Pause before the next try: doubled each time. */
const FIRST_PAUSE_SECONDS = 2;

/** Works off what ends of requests owe: a loop for each consumer, so that none holds up another. */
export function startOutbox(): Loop {
  const loops = CONSUMER_NAMES.map(consumer => keepLooking(`outbox ${consumer}`, () => workOff(consumer)));
  return {
    wake: () => loops.forEach(loop => loop.wake()),
    stop: async () => void (await Promise.all(loops.map(loop => loop.stop()))),
  };
}

/** Whether anything was due: then there may be more. */
async function workOff(consumer: Consumer): Promise<boolean> {
  const tasks = await takeTasks(consumer, HANDLERS[consumer].atOnce);
  await Promise.all(tasks.map(task => attempt(consumer, task)));
  return tasks.length > 0;
}

async function attempt(consumer: Consumer, task: Task): Promise<void> {
  const { handle, tries } = HANDLERS[consumer];
  const facts = { consumer, requestId: task.requestId, attempts: task.attempts };
  try {
    await handle(task.requestId);
  } catch (error) {
    log().warn({ err: error, ...facts }, 'what follows from an end failed');
    if (task.attempts < tries) return void (await postponeTask(task, FIRST_PAUSE_SECONDS * 2 ** (task.attempts - 1)));
    log().error(facts, 'given up');
  }
  await dropTask(task);
}
