import { log } from '#lib/log';
import { onStopRequest } from '#lib/process/stop-signals';
import { StartError } from '#lib/start-error';

interface Program {
  start: () => Promise<void>;
  /** Stops whatever has been started so far. */
  stop: () => Promise<void>;
  /** Exit code after a stop request; non-zero for a program that did not finish its task. */
  stoppedCode?: number;
}

/** Runs a program until it is asked to stop, then stops it gracefully; a second stop request exits immediately. */
export function runProgram({ start, stop, stoppedCode = 0 }: Program): void {
  let stoppingSince = 0;
  onStopRequest(async reason => {
    if (stoppingSince) {
      // npm forwards a Ctrl-C that this process has already received from the terminal
      if (Date.now() - stoppingSince > 1_000) process.exit(130);
      return;
    }
    stoppingSince = Date.now();
    log().info({ reason }, 'stopping');
    await stop().catch((error: unknown) => log().error({ err: error }, 'shutdown failed'));
    process.exit(stoppedCode);
  });
  start().catch(async (error: unknown) => {
    if (stoppingSince) return;
    tellWhy(error);
    await stop().catch(() => {});
    process.exit(1);
  });
}

/** Prints why a program could not start. A `StartError` without a message means that a child has printed the cause. */
function tellWhy(error: unknown): void {
  if (!(error instanceof StartError)) console.error(error);
  else if (error.message) console.error(error.message);
}
