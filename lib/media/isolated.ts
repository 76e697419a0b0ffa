import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { log } from '#lib/log';
import type { MediaTask, MediaTaskResult } from '#lib/media/media-process';
import { singleton } from '#lib/singleton';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Wall time of one task, and what it may hold in memory: the JavaScript heap here, everything else in the child itself. */
const LIMITS = { milliseconds: 30_000, heapMegabytes: 256 };

const NOT_DECODED = 'The file cannot be decoded: it is damaged, too large to decode, or not what it seems.';

/** Tasks that run at the same time; the others wait. */
const gate = () =>
  singleton('media.gate', () => ({
    free: Math.max(1, Math.min(4, availableParallelism())),
    waiting: [] as (() => void)[],
  }));

/**
 * Does a task in a process of its own: hostile files meet decoders there, without our environment and within limits of
 * time and memory. A crash is an `UnusableMedia` here and nothing more.
 */
export async function isolated<T extends MediaTask>(task: T, limits = LIMITS): Promise<MediaTaskResult<T>> {
  const { free } = gate();
  if (free > 0) gate().free--;
  else await new Promise<void>(enter => gate().waiting.push(enter));
  try {
    return (await runChild(task, limits)) as MediaTaskResult<T>;
  } finally {
    const next = gate().waiting.shift();
    if (next) next();
    else gate().free++;
  }
}

async function runChild(task: MediaTask, limits: typeof LIMITS): Promise<unknown> {
  const child = fork(
    join(/* turbopackIgnore: true */ process.cwd(), 'lib/media/media-process.ts'),
    [JSON.stringify(task)],
    {
      env: { NODE_ENV: 'production' },
      execArgv: [`--max-old-space-size=${limits.heapMegabytes}`, '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: limits.milliseconds,
      killSignal: 'SIGKILL',
    },
  );
  const complaints = text(child.stderr!);
  let answer: { value: unknown } | { refusal: string } | undefined;
  child.on('message', message => (answer = message as typeof answer));
  const end = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal }));
  });
  if (answer && 'value' in answer) return answer.value;
  if (answer) throw new UnusableMedia(answer.refusal);
  log().warn({ ...end, task: task.do, stderr: (await complaints).slice(-2000) }, 'decoding a file ended its process');
  throw new UnusableMedia(NOT_DECODED);
}
