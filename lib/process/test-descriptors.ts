import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * What a script prints to which the system gives few file descriptors: after its `takeAll()` it has none left. Throws when its process
 * ends as one does that an error nobody hears has ended.
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
