import { cache } from 'react';
import { AccountDetail } from '#components/admin/account-detail';
import { OwnerGate } from '#components/security/owner-gate';
import { readProfile } from '#lib/accounts/account-to-wire';
import { getAccount } from '#lib/accounts/accounts';
import { getPageOperator, orNotFound } from '#lib/auth/page-account';
import { signInProviders } from '#lib/auth/providers';

/** Returns the account, for operators only. */
const read = cache(async (id: string) => {
  await getPageOperator();
  return orNotFound(getAccount(id));
});

export async function generateMetadata({ params }: PageProps<'/admin/accounts/[account_id]'>) {
  return { title: (await read((await params).account_id)).email };
}

export default async function AccountPage({ params }: PageProps<'/admin/accounts/[account_id]'>) {
  const { id } = await read((await params).account_id);
  const profile = await readProfile(await getPageOperator());
  return (
    <OwnerGate profile={profile} providers={signInProviders()}>
      <AccountDetail id={id} />
    </OwnerGate>
  );
}
