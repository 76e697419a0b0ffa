import '#lib/process/env-file';
import { Command, CommanderError } from 'commander';
import { pino } from 'pino';
import { refreshSettings } from '#lib/catalog/settings';
import { accountCommands } from '#lib/cli/account-commands';
import { deploymentCommands } from '#lib/cli/deployment-commands';
import { engineCommands } from '#lib/cli/engine-commands';
import { keyCommands } from '#lib/cli/key-commands';
import { workflowCommands } from '#lib/cli/workflow-commands';
import { pool } from '#lib/db/client';
import { withDatabase } from '#lib/db/embedded';
import { migrateDatabase } from '#lib/db/migrate';
import { AppError } from '#lib/errors';
import { log, logOptions } from '#lib/log';
import { runProgram } from '#lib/process/run-program';
import { singleton } from '#lib/singleton';
import { StartError } from '#lib/start-error';

// stdout is for the output of the command, so logs go to stderr; warnings are left out: stopping the database logs some
singleton('log', () => pino({ ...logOptions, level: 'error' }, pino.destination(2)));

const stopped = new AbortController();
/** Work of the command, which uses the database. */
let work: Promise<void> | undefined;

const program = new Command('pomona')
  .description('Accounts, keys and gems of this deployment; works beside a running server and without one.')
  .exitOverride();
accountCommands(program, act);
keyCommands(program, act);
deploymentCommands(program, act);
engineCommands(program, act);
workflowCommands(program, act);

/** Wraps the action of a command: while it runs, the database is up and migrated, and operator settings are loaded. */
function act<Args extends unknown[]>(run: (...args: Args) => Promise<void>) {
  return (...args: Args) =>
    (work = withDatabase(async () => {
      await migrateDatabase();
      await refreshSettings();
      try {
        await run(...args);
      } finally {
        await pool().end();
      }
    }, stopped.signal));
}

async function start(): Promise<void> {
  await program.parseAsync().catch((error: unknown) => {
    if (!stopped.signal.aborted) tell(error);
  });
}

function tell(error: unknown): void {
  if (error instanceof CommanderError) {
    // commander has printed the message; a request for help is not an error
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.exitCode = 1;
    if (error instanceof AppError || error instanceof StartError) process.stderr.write(`${error.message}\n`);
    else log().error({ err: error }, 'command failed');
  }
}

async function stop(): Promise<void> {
  stopped.abort();
  // an embedded database that is still starting would otherwise outlive this process
  await work?.catch(() => {});
}

// a reader such as `head` may close stdout early; the command still runs to its end, which stops the database
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') tell(error);
});
runProgram({ start, stop, stoppedCode: 130 });
