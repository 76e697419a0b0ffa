import { pino } from 'pino';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';

/** One JSON line per event on stdout: `log().info({ requestId }, 'generation completed')`. Never given a secret. */
export const log = () =>
  singleton('log', () =>
    pino({ level: env().LOG_LEVEL, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }),
  );
