import { hostname } from 'node:os';
import { Command, CommanderError, Option } from 'commander';
import { pino } from 'pino';
import { createAccount, findAccountByEmail, listAccounts, type Account } from '#lib/accounts/accounts';
import { COMMAND_LINE, recordAct, type Act } from '#lib/accounts/audit';
import { createApiKey, findLiveApiKeys, listApiKeys, revokeApiKey } from '#lib/accounts/api-keys';
import { changeAccount, dropSecondStepAs, grantGemsAs, inviteAs, issueResetLink } from '#lib/accounts/govern';
import { checkLedger } from '#lib/accounts/ledger-check';
import { setPassword } from '#lib/accounts/sign-ins';
import { refreshAbilities } from '#lib/catalog/engine-abilities';
import { engineCommands } from '#lib/cli/engine-commands';
import { days, moment, storageAddress, wholeNumber } from '#lib/cli/option-values';
import { say, sayReport, sayRows } from '#lib/cli/output';
import { workflowCommands } from '#lib/cli/workflow-commands';
import { pool } from '#lib/db/client';
import { SCOPES, type Scope } from '#lib/scopes';
import { withDatabase } from '#lib/db/embedded';
import { migrateDatabase } from '#lib/db/migrate';
import { refreshDocuments } from '#lib/documents/documents';
import { env } from '#lib/env';
import { adoptDeployment, requireSameDeployment } from '#lib/deployment';
import { AppError } from '#lib/errors';
import { randomToken } from '#lib/ids';
import { log, logOptions } from '#lib/log';
import { singleton } from '#lib/singleton';
import { StartError } from '#lib/start-error';
import { copyStore } from '#lib/storage/copy-store';
import { openStore, storage } from '#lib/storage/store';

// stdout is for what was asked for, and a database that is stopped again drops its connections
singleton('log', () => pino({ ...logOptions, level: 'error' }, pino.destination(2)));

const program = new Command('pomona')
  .description('Accounts, keys and gems of this deployment; works beside a running server and without one.')
  .exitOverride();
const account = program.command('account').description('who pays and owns');
const key = program.command('key').description('API keys');
const gems = program.command('gems').description('what accounts pay with');
const files = program.command('storage').description('where media are kept');
const ledger = program.command('ledger').description('the record of every gem');
const deployment = program.command('deployment').description('what all processes on one database have in common');

interface NewKeyOptions {
  email: string;
  name: string;
  expires?: Date;
  budget?: number;
  inFlight?: number;
  scopes?: Scope[];
}

const anyGems = wholeNumber(0);

account
  .command('create')
  .description('open an account')
  .requiredOption('--email <address>')
  .option('--name <name>')
  .option('--gems <n>', 'starting balance (default: STARTING_GEMS)', anyGems)
  .option('--operator', 'may govern the deployment')
  .action(
    act(async (options: { email: string; name?: string; gems?: number; operator?: boolean }) => {
      const { email, balance, id, operator } = await createAccount(options);
      await note({ act: 'account.create', subject: email, accountId: id, after: { balance, operator } });
      say(`${email} has ${balance} gems (account ${id}).`);
    }),
  );

account
  .command('list')
  .description('every account, oldest first')
  .option('--json')
  .action(act(async ({ json }: { json?: boolean }) => sayRows((await listAccounts()).map(shown), json)));

account
  .command('password')
  .description('print a link for a new password, which works once and for an hour')
  .requiredOption('--email <address>', 'the account')
  .option('--random', 'set a random password instead, and print it')
  .action(
    act(async ({ email, random }: { email: string; random?: boolean }) => {
      const found = await accountOf(email);
      if (!random) return say((await issueResetLink(COMMAND_LINE, found.id)).url);
      const password = randomToken(16);
      await setPassword(found, password);
      await note({ act: 'account.password', subject: found.email, accountId: found.id });
      say(password);
    }),
  );

account
  .command('drop-second-step')
  .description('take off the second step of an account whose holder lost it')
  .requiredOption('--email <address>', 'the account')
  .action(
    act(async ({ email }: { email: string }) => {
      const found = await accountOf(email);
      await dropSecondStepAs(COMMAND_LINE, found.id);
      say(`${found.email} signs in without a second step.`);
    }),
  );

for (const [name, disabled, about] of [
  ['disable', true, 'refuse its keys and sessions from the next request on'],
  ['enable', false, 'let it in again'],
] as const) {
  account
    .command(name)
    .description(about)
    .requiredOption('--email <address>', 'the account')
    .action(
      act(async ({ email }: { email: string }) => {
        const changed = await changeAccount(COMMAND_LINE, (await accountOf(email)).id, { disabled });
        say(`${changed.email} is ${name}d.`);
      }),
    );
}

account
  .command('invite')
  .description('print an invitation link')
  .option('--email <address>', 'for this address only')
  .option('--days <n>', 'how long it works', days, 7)
  .action(act(async (options: { email?: string; days: number }) => say((await inviteAs(COMMAND_LINE, options)).url)));

key
  .command('create')
  .description('make a key and print it, this once')
  .requiredOption('--email <address>', 'the account')
  .requiredOption('--name <name>', 'what it is for')
  .option('--expires <date>', 'day or moment from which it is refused, such as 2030-12-31', moment)
  .option('--budget <n>', 'most gems it may spend in a calendar month', anyGems)
  .option('--in-flight <n>', 'most requests of it that may be live at a time', wholeNumber(1))
  .addOption(new Option('--scopes <scope...>', 'what it may do (default: everything)').choices(SCOPES))
  .action(
    act(async (options: NewKeyOptions) => {
      const { id, email } = await accountOf(options.email);
      const made = await createApiKey(id, {
        name: options.name,
        expiresAt: options.expires,
        monthlyBudget: options.budget,
        inFlightLimit: options.inFlight,
        scopes: options.scopes,
      });
      const { name, lastFour } = made;
      await note({ act: 'key.create', subject: email, accountId: id, after: { name, lastFour } });
      say(made.key);
    }),
  );

key
  .command('list')
  .description("an account's keys, newest first")
  .requiredOption('--email <address>', 'the account')
  .option('--json')
  .action(
    act(async ({ email, json }: { email: string; json?: boolean }) => {
      sayRows(await listApiKeys((await accountOf(email)).id), json);
    }),
  );

key
  .command('revoke')
  .description('end a key for good, from the next request on')
  .addOption(new Option('--id <id>', 'its id, as key list shows it').conflicts('keyLast4'))
  .option('--key-last4 <characters>', 'its last four characters')
  .action(
    act(async ({ id, keyLast4 }: { id?: string; keyLast4?: string }) => {
      if (id === undefined && keyLast4 === undefined) program.error('error: name the key with --id or --key-last4');
      const found = await findLiveApiKeys(id === undefined ? { lastFour: keyLast4 ?? '' } : { id });
      const [only, another] = found;
      if (!only) throw new AppError('not_found', 'No live key is called that. See key list --email E.');
      if (another) {
        const ids = found.map(one => one.id).join(', ');
        throw new AppError('invalid_request', `Several keys end in ${keyLast4}. Name one with --id: ${ids}`);
      }
      await revokeApiKey(only.accountId, only.id);
      const { name, lastFour, accountId } = only;
      await note({ act: 'key.revoke', subject: `…${lastFour}`, accountId, before: { name } });
      say(`The key ${only.name} (…${only.lastFour}) is revoked.`);
    }),
  );

gems
  .command('grant')
  .description('give gems to an account')
  .requiredOption('--email <address>', 'the account')
  .requiredOption('--gems <n>', 'how many', wholeNumber(1))
  .requiredOption('--reason <text>', 'shown on its statement')
  .action(
    act(async (options: { email: string; gems: number; reason: string }) => {
      const { id, email } = await accountOf(options.email);
      const row = await grantGemsAs(COMMAND_LINE, id, { gems: options.gems, reason: options.reason });
      say(`${email} has ${row.balanceAfter} gems.`);
    }),
  );

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
    const { copied, bytes, there, differ } = await copyStore(source!, target!, { recheck });
    for (const key of differ) say(`${key} differs`);
    say(`${copied} files (${bytes} bytes) copied, ${there} were there, ${differ.length} differ.`);
    if (differ.length > 0) process.exitCode = 1;
  });
deployment
  .command('adopt')
  .description('take the store of media and the secret key that are set here for those of the deployment')
  .action(
    act(async () => {
      await adoptDeployment();
      await note({ act: 'deployment.adopt', subject: hostname() });
      say('From now on processes with this store of media and this secret key start.');
    }),
  );

engineCommands(program, act);
workflowCommands(program, act);

/** The action of a command: the database is up and current while it runs, and what operators set is known. */
function act<Args extends unknown[]>(run: (...args: Args) => Promise<void>) {
  return (...args: Args) =>
    withDatabase(async () => {
      await migrateDatabase();
      await Promise.all([refreshDocuments(), refreshAbilities()]);
      try {
        await run(...args);
      } finally {
        await pool().end();
      }
    });
}

const shown = ({ id, email, name, operator, balance, inFlightLimit, disabledAt, createdAt }: Account) => ({
  id,
  email,
  name,
  operator,
  balance,
  inFlightLimit,
  disabledAt,
  createdAt,
});

const note = (what: Act): Promise<void> => recordAct(COMMAND_LINE, what);

async function accountOf(email: string): Promise<Account> {
  const found = await findAccountByEmail(email);
  if (found) return found;
  throw new AppError(
    'not_found',
    `No account has the e-mail address ${email}. See account list, or make it with account create.`,
  );
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // it has said what is wrong; help that was asked for is no error
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.exitCode = 1;
    if (error instanceof AppError || error instanceof StartError) process.stderr.write(`${error.message}\n`);
    else log().error({ err: error }, 'the command failed');
  }
}
