import { setTimeout as pause } from 'node:timers/promises';

/** Connection exceptions, a server that stops, starts or has no connection left, and what the network says. */
const CODES = /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT)$/;
/** What the driver says without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the database could not be reached, or broke off: whatever was asked may have been done or not. */
export function isOutage(error: unknown): boolean {
  for (let step = error; step instanceof Error; step = step.cause) {
    const { code, syscall } = step as NodeJS.ErrnoException;
    // a file that is not there is no database that is not there
    if (code && CODES.test(code) && (code !== 'ENOENT' || syscall === 'connect')) return true;
    if (MESSAGES.test(step.message)) return true;
  }
  return false;
}

const PAUSE_MS = 500;

/** Asks again and again while the database is out, for what is too dear to be lost. To be done twice must do no harm. */
export async function throughOutages<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isOutage(error) || signal.aborted) throw error;
      await pause(PAUSE_MS, undefined, { signal });
    }
  }
}
