import { readFileSync } from 'node:fs';

/** Does `work` while the system ends every decoder, as it does when it has no memory for them. Linux only. */
export async function withDecodersKilled<T>(work: Promise<T>): Promise<T> {
  const killing = setInterval(() => {
    const decoders = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
    for (const pid of decoders.filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
  }, 20);
  return work.finally(() => clearInterval(killing));
}
