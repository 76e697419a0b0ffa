'use client';

import { useQuery } from '@tanstack/react-query';
import { ChangePassword } from '#components/account/change-password';
import { DeleteAccount } from '#components/account/delete-account';
import { NameForm } from '#components/account/name-form';
import { Quotas } from '#components/account/quotas';
import { Sessions } from '#components/account/sessions';
import { SignInWays } from '#components/account/sign-in-ways';
import { Panel } from '#components/ui/panel';
import { QueryView } from '#components/ui/query-view';
import { profileQuery } from '#lib/client/account-queries';

/** The Profile tab. `providers` are those that the account can be connected with. */
export function Profile({ providers }: { providers: readonly { id: string; name: string }[] }) {
  const query = useQuery(profileQuery);
  return (
    <QueryView query={query}>
      {profile => {
        const hasPassword = profile.sign_ins.some(({ provider }) => provider === 'password');
        return (
          <div className="grid grid-cols-1 gap-12">
            <NameForm profile={profile} />
            <Panel title="Ways to sign in">
              <SignInWays ways={profile.sign_ins} providers={providers} />
            </Panel>
            <Panel title={hasPassword ? 'Password' : 'Set a password'}>
              <ChangePassword hasPassword={hasPassword} />
            </Panel>
            <Panel title="Sessions">
              <Sessions />
            </Panel>
            <Panel title="Room" aria-label="Room">
              <Quotas />
            </Panel>
            <Panel title="Delete the account">
              <DeleteAccount profile={profile} hasPassword={hasPassword} />
            </Panel>
          </div>
        );
      }}
    </QueryView>
  );
}
