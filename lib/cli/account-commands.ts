import type { Command } from 'commander';
import { createAccount, findAccountByEmail, listAccounts, type Account } from '#lib/accounts/accounts';
import { COMMAND_LINE, recordAct } from '#lib/accounts/audit';
import { changeAccount, dropSecondStepAs, grantGemsAs, inviteAs, issueResetLink } from '#lib/accounts/govern';
import { setPassword } from '#lib/accounts/sign-ins';
import type { Act } from '#lib/cli/act';
import { wholeNumber } from '#lib/cli/option-values';
import { say, sayRows } from '#lib/cli/output';
import { AppError } from '#lib/errors';
import { randomToken } from '#lib/ids';

/** Adds `pomona account …` and `pomona gems …`. */
export function accountCommands(program: Command, act: Act): void {
  const account = program.command('account').description('accounts and how they sign in');
  const gems = program.command('gems').description('gems of accounts');

  account
    .command('create')
    .description('create an account')
    .requiredOption('--email <address>')
    .option('--name <name>')
    .option('--gems <n>', 'starting balance (default: STARTING_GEMS)', wholeNumber(0))
    .option('--operator', 'make it an operator')
    .action(
      act(async (options: { email: string; name?: string; gems?: number; operator?: boolean }) => {
        const { email, balance, id, operator } = await createAccount(options);
        await recordAct(COMMAND_LINE, {
          act: 'account.create',
          subject: email,
          accountId: id,
          after: { balance, operator },
        });
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
    .description('print a link to set a new password, which works once, for an hour')
    .requiredOption('--email <address>', 'the account')
    .option('--random', 'set a random password instead, and print it')
    .action(
      act(async ({ email, random }: { email: string; random?: boolean }) => {
        const found = await accountOf(email);
        if (!random) return say((await issueResetLink(COMMAND_LINE, found.id)).url);
        const password = randomToken(16);
        await setPassword(found, password);
        await recordAct(COMMAND_LINE, { act: 'account.password', subject: found.email, accountId: found.id });
        say(password);
      }),
    );

  account
    .command('drop-second-step')
    .description('turn off the second step of an account whose holder lost it')
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
    .option('--days <n>', 'for how many days it works', wholeNumber(1, 90), 7)
    .action(act(async (options: { email?: string; days: number }) => say((await inviteAs(COMMAND_LINE, options)).url)));

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

export async function accountOf(email: string): Promise<Account> {
  const found = await findAccountByEmail(email);
  if (found) return found;
  throw new AppError(
    'not_found',
    `No account has the e-mail address ${email}. See account list, or make it with account create.`,
  );
}
