import { log } from '#lib/log';
import { onStopRequest } from '#lib/process/stop-signals';
import { StartError } from '#lib/start-error';

interface Program {
  start: () => Promise<void>;
  /** Ends what runs by then. */
  stop: () => Promise<void>;
  /** Exit code of one that was stopped: not 0 for one that had something to get done. */
  stoppedCode?: number;
}

/** Runs a program until it is asked to stop, which it does in order; asked again, it is gone at once. */
export function runProgram({ start, stop, stoppedCode = 0 }: Program): void {
  let stoppingSince = 0;
  onStopRequest(async reason => {
    if (stoppingSince) {
      // npm passes a Ctrl-C on that the terminal has sent us already
      if (Date.now() - stoppingSince > 1_000) process.exit(130);
      return;
    }
    stoppingSince = Date.now();
    log().info({ reason }, 'stopping');
    await stop().catch((error: unknown) => log().error({ err: error }, 'stopping failed'));
    process.exit(stoppedCode);
  });
  start().catch(async (error: unknown) => {
    if (stoppingSince) return;
    tellWhy(error);
    await stop().catch(() => {});
    process.exit(1);
  });
}

/** Tells why a process ends before its time. One whose child did not start is silent: that has said why. */
function tellWhy(error: unknown): void {
  if (!(error instanceof StartError)) console.error(error);
  else if (error.message) console.error(error.message);
}
