import { readFileSync } from 'node:fs';

/** Returns the process ids of the decoders of this process. Linux only. */
export const decoders = (): number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Kills every decoder until `work` settles, as the system does when it has no memory for them. */
export async function withDecodersKilled<T>(work: Promise<T>): Promise<T> {
  const killing = setInterval(() => {
    for (const pid of decoders()) process.kill(pid, 'SIGKILL');
  }, 20);
  return work.finally(() => clearInterval(killing));
}
