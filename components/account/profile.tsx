'use client';

import { useQuery } from '@tanstack/react-query';
import { DeleteAccount } from '#components/account/delete-account';
import { NameForm } from '#components/account/name-form';
import { Quotas } from '#components/account/quotas';
import { Panel } from '#components/ui/panel';
import { QueryView } from '#components/ui/query-view';
import { profileQuery } from '#lib/client/account-queries';

/** The Profile tab. */
export function Profile() {
  const query = useQuery(profileQuery);
  return (
    <QueryView query={query}>
      {profile => {
        const hasPassword = profile.sign_ins.some(({ provider }) => provider === 'password');
        return (
          <div className="grid grid-cols-1 gap-12">
            <NameForm profile={profile} />
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
