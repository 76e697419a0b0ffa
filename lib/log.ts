import { pino, type LoggerOptions } from 'pino';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';

interface ErrorLine {
  type: string;
  message: string;
  stack?: string | undefined;
  cause?: ErrorLine;
  [fact: string]: unknown;
}

/** Properties of database errors that contain no row values. */
const FACTS = ['code', 'constraint', 'table', 'column'];

/** Logger options that leave out the parameters of a failed query, which may be secrets or a user's texts. */
export const logOptions: LoggerOptions = {
  serializers: { err: (error: unknown) => (error instanceof Error ? toLine(error) : error) },
};

function toLine(error: Error): ErrorLine {
  const [message = ''] = error.message.split('\nparams:', 1);
  const stack = error.stack?.replace(error.message, () => message);
  const facts = Object.entries(error).filter(([name]) => FACTS.includes(name));
  const line: ErrorLine = { type: error.name, message, stack, ...Object.fromEntries(facts) };
  if (error.cause instanceof Error) line.cause = toLine(error.cause);
  return line;
}

/** Logs one JSON line per event to stdout: `log().info({ requestId }, 'generation completed')`. Never pass a secret. */
export const log = () =>
  singleton('log', () =>
    pino({
      ...logOptions,
      level: env().LOG_LEVEL,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
    }),
  );
