import type { Account } from '#lib/accounts/accounts';
import { readSecondStep, type SecondStepState } from '#lib/accounts/second-step';
import { listSignIns, type SignIn } from '#lib/accounts/sign-ins';
import type { AccountFactsWire, AccountProfileWire } from '#lib/contract/account-schemas';

/** Converts an account to the form that its holder sees. */
export const accountToWire = (account: Account): AccountFactsWire => ({
  id: account.id,
  email: account.email,
  email_verified: account.emailVerifiedAt !== null,
  name: account.name,
  operator: account.operator,
  balance: account.balance,
  may_generate: account.mayGenerate,
  may_create_cast: account.mayCreateCast,
  in_flight_limit: account.inFlightLimit,
  created_at: account.createdAt.toISOString(),
});

export const signInToWire = ({
  id,
  provider,
  name,
  createdAt,
  lastUsedAt,
}: SignIn): AccountProfileWire['sign_ins'][number] => ({
  id,
  provider,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

export const secondStepToWire = (step: SecondStepState | null): AccountProfileWire['second_step'] =>
  step && { since: step.since.toISOString(), recovery_codes_left: step.recoveryLeft };

/** Returns an account with its ways to sign in, in the form that its holder sees. */
export async function readProfile(account: Account): Promise<AccountProfileWire> {
  const [signIns, step] = await Promise.all([listSignIns(account.id), readSecondStep(account.id)]);
  return { ...accountToWire(account), sign_ins: signIns.map(signInToWire), second_step: secondStepToWire(step) };
}
