import { Option, type Command } from 'commander';
import { createApiKey, findLiveApiKeys, listApiKeys, revokeApiKey } from '#lib/accounts/api-keys';
import { COMMAND_LINE, recordAct } from '#lib/accounts/audit';
import { accountOf } from '#lib/cli/account-commands';
import type { Act } from '#lib/cli/act';
import { futureMoment, wholeNumber } from '#lib/cli/option-values';
import { say, sayRows } from '#lib/cli/output';
import { AppError } from '#lib/errors';
import { SCOPES, type Scope } from '#lib/scopes';

/** Adds `pomona key …`. */
export function keyCommands(program: Command, act: Act): void {
  const key = program.command('key').description('API keys');

  key
    .command('create')
    .description('create a key and print it, only this once')
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <date>', 'date or time from which it is refused, such as 2030-12-31', futureMoment)
    .option('--budget <n>', 'most gems it may spend in a calendar month', wholeNumber(0))
    .option('--in-flight <n>', 'most live requests it may have at a time', wholeNumber(1, 10_000))
    .addOption(new Option('--scopes <scope...>', 'what it may do (default: everything)').choices(SCOPES))
    .action(
      act(async (options: NewKeyOptions) => {
        const { id, email, disabledAt } = await accountOf(options.email);
        const made = await createApiKey(id, {
          name: options.name,
          expiresAt: options.expires,
          monthlyBudget: options.budget,
          inFlightLimit: options.inFlight,
          scopes: options.scopes,
        });
        const { name, lastFour } = made;
        await recordAct(COMMAND_LINE, { act: 'key.create', subject: email, accountId: id, after: { name, lastFour } });
        if (disabledAt)
          process.stderr.write(`${email} is disabled: the key is refused until account enable --email ${email}.\n`);
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
    .description('revoke a key for good, from the next request on')
    .addOption(new Option('--id <id>', 'its id, as key list shows it').conflicts('keyLast4'))
    .option('--key-last4 <characters>', 'its last four characters')
    .action(
      act(async ({ id, keyLast4 }: { id?: string; keyLast4?: string }) => {
        if (id === undefined && keyLast4 === undefined) key.error('error: name the key with --id or --key-last4');
        const found = await findLiveApiKeys(id === undefined ? { lastFour: keyLast4 ?? '' } : { id });
        const [only, another] = found;
        if (!only) throw new AppError('not_found', 'There is no such live key. See key list --email E.');
        if (another) {
          const ids = found.map(one => one.id).join(', ');
          throw new AppError('invalid_request', `Several keys end in ${keyLast4}. Name one with --id: ${ids}`);
        }
        await revokeApiKey(only.accountId, only.id, async ({ name, lastFour, accountId }, tx) => {
          const act = { act: 'key.revoke', subject: `…${lastFour}`, accountId, before: { name } };
          await recordAct(COMMAND_LINE, act, tx);
        });
        say(`The key ${only.name} (…${only.lastFour}) is revoked.`);
      }),
    );
}

interface NewKeyOptions {
  email: string;
  name: string;
  expires?: Date;
  budget?: number;
  inFlight?: number;
  scopes?: Scope[];
}
