import { expect } from '@playwright/test';
import { freePort } from '../process.ts';

/** Returns settings that let a process open its inspector on its own port, to measure its memory. */
export const inspectable = async () => ({ NODE_OPTIONS: `--inspect-port=${await freePort()}` });

const LISTENING = /Debugger listening on (ws:\S+)/;

/** Returns the megabytes that a process retains after a garbage collection. */
export async function retainedMegabytes(pid: number, output: () => string): Promise<number> {
  if (!LISTENING.test(output())) process.kill(pid, 'SIGUSR1');
  await expect.poll(output).toMatch(LISTENING);
  const inspector = new WebSocket(LISTENING.exec(output())![1]!);
  await heard(inspector, 'open');
  await ask(inspector, 'HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await ask(inspector, 'Runtime.getHeapUsage');
  inspector.close();
  return Math.round((usedSize + embedderHeapUsedSize + backingStorageSize) / 1024 ** 2);
}

const heard = <T extends Event>(inspector: WebSocket, what: 'open' | 'message'): Promise<T> =>
  new Promise((done, failed) => {
    inspector.addEventListener(what, event => done(event as T), { once: true });
    inspector.addEventListener('error', () => failed(new Error('the inspector does not answer')), { once: true });
  });

/** Result of `Runtime.getHeapUsage`, in bytes. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

async function ask(inspector: WebSocket, method: string): Promise<HeapUsage> {
  const answered = heard<MessageEvent<string>>(inspector, 'message');
  inspector.send(JSON.stringify({ id: 1, method }));
  const { result } = JSON.parse((await answered).data) as { result: HeapUsage };
  return result;
}
