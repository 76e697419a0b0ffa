import { setTimeout as pause } from 'node:timers/promises';
import { causesOf } from '#lib/errors';

/** Error codes of connections that could not be established or broke. */
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
/** Codes of broken connections, a database that stops, starts or is full, an unavailable store or DNS, and timeouts. */
const CODES = /^(08...|57P0[1-5]|53300|STORE_AWAY|ENOENT|ETIMEDOUT|ETIMEOUT|ESERVFAIL|UND_ERR_BODY_TIMEOUT)$/;
/** Messages of database driver errors that have no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the database or the store was unreachable or the connection broke. The operation may have taken effect. */
export const isOutage = (error: unknown): boolean =>
  causesOf(error).some(
    ({ code, syscall, message }) =>
      // ENOENT counts only for a missing socket of the database, not for a missing file
      (code && isOutageCode(code) && (code !== 'ENOENT' || syscall === 'connect')) || MESSAGES.test(message),
  );

const isOutageCode = (code: string): boolean => CODES.test(code) || NETWORK_CODES.includes(code);

const PAUSE_MS = 500;

/** Retries while the database or the store is unavailable, for work that must not be lost. `ask` must be idempotent. */
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
