import { setTimeout as pause } from 'node:timers/promises';
import { causesOf } from '#lib/errors';

/** What the network says when a connection does not come about or breaks. */
export const NETWORK_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
];
/** Connection exceptions, a database that stops, starts or has no connection left, a store or a name server that says so, and silence. */
const CODES = /^(08...|57P0[1-5]|53300|STORE_AWAY|ENOENT|ETIMEDOUT|ETIMEOUT|ESERVFAIL|UND_ERR_BODY_TIMEOUT)$/;
/** What the driver says without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the database or the store could not be reached, or broke off: whatever was asked may have been done or not. */
export const isOutage = (error: unknown): boolean =>
  causesOf(error).some(
    ({ code, syscall, message }) =>
      // a file that is not there is no database that is not there
      (code && isOutageCode(code) && (code !== 'ENOENT' || syscall === 'connect')) || MESSAGES.test(message),
  );

const isOutageCode = (code: string): boolean => CODES.test(code) || NETWORK_CODES.includes(code);

const PAUSE_MS = 500;

/** Asks again and again while the database or the store is out, for what is too dear to be lost. To be done twice must do no harm. */
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
