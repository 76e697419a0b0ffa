import '#lib/process/env-file';
import { hostname } from 'node:os';
import { Command, CommanderError, Option } from 'commander';
import { pino } from 'pino';
import { COMMAND_LINE, recordAct } from '#lib/accounts/audit';
import { checkLedger } from '#lib/accounts/ledger-check';
import { refreshSettings } from '#lib/catalog/settings';
import { accountCommands } from '#lib/cli/account-commands';
import { engineCommands } from '#lib/cli/engine-commands';
import { keyCommands } from '#lib/cli/key-commands';
import { storageAddress } from '#lib/cli/option-values';
import { say, sayReport } from '#lib/cli/output';
import { workflowCommands } from '#lib/cli/workflow-commands';
import { pool } from '#lib/db/client';
import { withDatabase } from '#lib/db/embedded';
import { migrateDatabase } from '#lib/db/migrate';
import { env } from '#lib/env';
import { adoptDeployment, requireSameDeployment } from '#lib/deployment';
import { AppError } from '#lib/errors';
import { log, logOptions } from '#lib/log';
import { runProgram } from '#lib/process/run-program';
import { singleton } from '#lib/singleton';
import { StartError } from '#lib/start-error';
import { copyStore } from '#lib/storage/copy-store';
import { reachStore } from '#lib/storage/reach-store';
import { openStore, storage } from '#lib/storage/store';

// stdout is for what was asked for, and a database that is stopped again drops its connections
singleton('log', () => pino({ ...logOptions, level: 'error' }, pino.destination(2)));

const stopped = new AbortController();
/** What a command does with the database. */
let work: Promise<void> | undefined;

const program = new Command('pomona')
  .description('Accounts, keys and gems of this deployment; works beside a running server and without one.')
  .exitOverride();
accountCommands(program, act);
keyCommands(program, act);
const files = program.command('storage').description('where media are kept');
const ledger = program.command('ledger').description('the record of every gem');
const deployment = program.command('deployment').description('what all processes on one database have in common');

ledger
  .command('check')
  .description('check what must always hold of gems, requests and outputs; exit 1 when something is broken')
  .option('--files', 'compare the stored media too')
  .option('--json')
  .action(
    act(async ({ files, json }: { files?: boolean; json?: boolean }) => {
      if (files) await requireSameDeployment();
      const reports = await checkLedger(files ? { storage: storage() } : {});
      if (json) say(JSON.stringify(reports, null, 2));
      else for (const report of reports) sayReport(report);
      if (reports.some(report => !report.ok)) process.exitCode = 1;
    }),
  );

files
  .command('copy')
  .description('copy every file to another store, or from one; again, it goes on; exit 1 when files differ')
  .addOption(new Option('--to <address>', 'such as s3://bucket/prefix').argParser(storageAddress).conflicts('from'))
  .option('--from <address>', 'such as file:///srv/media', storageAddress)
  .option('--recheck', 'compare what is there already, too, byte by byte')
  .action(async ({ to, from, recheck }: { to?: string; from?: string; recheck?: boolean }) => {
    if (to === undefined && from === undefined) program.error('error: name the other store with --to or --from');
    const [source, target] = [from ?? env().STORAGE_URL, to ?? env().STORAGE_URL].map(at => openStore(at).bytes);
    await reachStore(from ? '--from' : 'STORAGE_URL', () => source!.list('').next());
    await reachStore(to ? '--to' : 'STORAGE_URL', () => target!.check());
    const { copied, bytes, there, differ } = await copyStore(source!, target!, { recheck });
    for (const key of differ) say(`${key} differs`);
    say(`${copied} files (${bytes} bytes) copied, ${there} were there, ${differ.length} differ.`);
    if (differ.length > 0) process.exitCode = 1;
  });
deployment
  .command('adopt')
  .description('take the database, the store of media and the secret key that are set here for those of the deployment')
  .option(
    '--sweep',
    'delete files that the database does not know, too, such as those that were made after a dump of it',
  )
  .action(
    act(async ({ sweep }: { sweep?: boolean }) => {
      await adoptDeployment({ sweep });
      await recordAct(COMMAND_LINE, { act: 'deployment.adopt', subject: hostname() });
      say('From now on processes with this database, this store of media and this secret key start.');
    }),
  );

engineCommands(program, act);
workflowCommands(program, act);

/** The action of a command: the database is up and current while it runs, and what operators set is known. */
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
    // it has said what is wrong; help that was asked for is no error
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.exitCode = 1;
    if (error instanceof AppError || error instanceof StartError) process.stderr.write(`${error.message}\n`);
    else log().error({ err: error }, 'the command failed');
  }
}

async function stop(): Promise<void> {
  stopped.abort();
  // a database that is just being started would outlive us
  await work?.catch(() => {});
}

// whoever reads a part of it hangs up; the command still gets to its end, which stops the database
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') tell(error);
});
runProgram({ start, stop, stoppedCode: 130 });
