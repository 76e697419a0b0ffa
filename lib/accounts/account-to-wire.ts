import type { Account } from '#lib/accounts/accounts';
import type { SignIn } from '#lib/accounts/sign-ins';
import type { AccountFactsWire, AccountProfileWire } from '#lib/contract/account-schemas';

/** An account as its holder sees it. */
export const accountToWire = (account: Account): AccountFactsWire => ({
  id: account.id,
  email: account.email,
  name: account.name,
  operator: account.operator,
  balance: account.balance,
  may_generate: account.mayGenerate,
  may_create_cast: account.mayCreateCast,
  in_flight_limit: account.inFlightLimit,
  created_at: account.createdAt.toISOString(),
});

export const signInToWire = ({ provider, createdAt, lastUsedAt }: SignIn): AccountProfileWire['sign_ins'][number] => ({
  provider,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

export const profileToWire = (account: Account, signIns: SignIn[]): AccountProfileWire => ({
  ...accountToWire(account),
  sign_ins: signIns.map(signInToWire),
});
