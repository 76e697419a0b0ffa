import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a script with a low limit of file descriptors and returns its output; after a call of `takeAll()` in the script,
 * none is left. Throws when the process fails, as by an unhandled error.
 */
export async function printedWithoutDescriptors(script: string): Promise<string> {
  const program = `
    import { openSync } from 'node:fs';
    import { setTimeout as pause } from 'node:timers/promises';
    function takeAll() { try { for (;;) openSync('/dev/null'); } catch {} }
    ${script}`;
  const limited = ['-c', 'ulimit -n 60; exec "$0" --input-type=module-typescript -e "$1"', process.execPath, program];
  const env = { ...process.env, LOG_LEVEL: 'silent' };
  return (await promisify(execFile)('/bin/sh', limited, { env })).stdout;
}
