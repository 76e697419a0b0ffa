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

/** Facts of database errors that hold no value of a row. */
const FACTS = ['code', 'constraint', 'table', 'column'];

/** How errors are logged: without the parameters of a failed query, which may be secrets or somebody's words. */
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

/** One JSON line per event on stdout: `log().info({ requestId }, 'generation completed')`. Never given a secret. */
export const log = () =>
  singleton('log', () =>
    pino({
      ...logOptions,
      level: env().LOG_LEVEL,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
    }),
  );
