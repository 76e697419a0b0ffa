import { hostname } from 'node:os';
import { Option, type Command } from 'commander';
import { COMMAND_LINE, recordAct } from '#lib/accounts/audit';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import type { Act } from '#lib/cli/act';
import { storageAddress } from '#lib/cli/option-values';
import { say, sayReport } from '#lib/cli/output';
import { adoptDeployment, requireSameDeployment } from '#lib/deployment';
import { env } from '#lib/env';
import { messageOf } from '#lib/errors';
import { StartError } from '#lib/start-error';
import { copyStore } from '#lib/storage/copy-store';
import { reachStore } from '#lib/storage/reach-store';
import { openStore, storage, storesOverlap } from '#lib/storage/store';

/** Adds the commands for the whole deployment: its ledger, its stored files, and its shared database, store and key. */
export function deploymentCommands(program: Command, act: Act): void {
  const media = program.command('storage').description('where media are kept');
  const ledger = program.command('ledger').description('the record of every gem');
  const deployment = program.command('deployment').description('what all processes on one database share');

  ledger
    .command('check')
    .description('check that gems, requests and outputs add up; exit 1 when something is broken')
    .option('--files', 'also compare the stored media')
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

  media
    .command('copy')
    .description('copy every file to or from another store; run again, it continues; exit 1 when files differ')
    .addOption(new Option('--to <address>', 'such as s3://bucket/prefix').argParser(storageAddress).conflicts('from'))
    .option('--from <address>', 'such as file:///srv/media', storageAddress)
    .option('--recheck', 'also compare files that are already there, byte by byte')
    .action(async ({ to, from, recheck }: { to?: string; from?: string; recheck?: boolean }) => {
      if (to === undefined && from === undefined) program.error('error: name the other store with --to or --from');
      if (storesOverlap(to ?? from, env().STORAGE_URL))
        program.error(
          `error: ${to ?? from} is the store of this deployment, or one contains the other. Name a separate place.`,
        );
      const [source, target] = [from ?? env().STORAGE_URL, to ?? env().STORAGE_URL].map(at => openStore(at).bytes);
      await reachStore(from ? '--from' : 'STORAGE_URL', async () => {
        const files = source!.list('');
        const { done } = await files.next();
        // a listing that is not ended keeps its folders open
        await files.return(undefined);
        // a mistyped folder or prefix looks like an empty store; a deployment adopted after the copy would lack files
        if (done && from) throw new StartError(`There are no files at ${from}. Check the address.`);
      });
      await reachStore(to ? '--to' : 'STORAGE_URL', () => target!.check());
      const { copied, bytes, there, differ } = await copyStore(source!, target!, { recheck }).catch(
        (cause: unknown) => {
          throw new StartError(`The copy stopped: ${messageOf(cause)}. Run it again: it continues from there.`, {
            cause,
          });
        },
      );
      for (const key of differ) say(`${key} differs`);
      say(`${copied} files (${bytes} bytes) copied, ${there} were there, ${differ.length} differ.`);
      if (differ.length > 0) process.exitCode = 1;
    });
  deployment
    .command('adopt')
    .description('make the database, the store of media and the secret key set here those of the deployment')
    .option('--sweep', 'also delete files that the database does not know, such as those made after its dump')
    .action(
      act(async ({ sweep }: { sweep?: boolean }) => {
        await adoptDeployment({ sweep });
        await recordAct(COMMAND_LINE, { act: 'deployment.adopt', subject: hostname() });
        say('Processes with this database, this store of media and this secret key now start.');
      }),
    );
}
