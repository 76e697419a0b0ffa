'use client';

import { useQuery } from '@tanstack/react-query';
import { DeleteAccount } from '#components/account/delete-account';
import { EmailAddress } from '#components/account/email-address';
import { ExportAccount } from '#components/account/export-account';
import { Quotas } from '#components/account/quotas';
import { OwnerGate } from '#components/security/owner-gate';
import { besidePage, InPlace } from '#components/ui/on-demand';
import { Panel } from '#components/ui/panel';
import { Loading, QueryView } from '#components/ui/query-view';
import { profileQuery } from '#lib/client/account-queries';

const NameForm = besidePage(async () => (await import('#components/account/name-form')).NameForm);

/** The Profile tab. `providers` are those that the deployment is set up for; `mails`: it sends mail. */
export function Profile({ providers, mails }: { providers: readonly { id: string; name: string }[]; mails: boolean }) {
  const query = useQuery(profileQuery);
  return (
    <QueryView query={query}>
      {profile => {
        const hasPassword = profile.sign_ins.some(({ provider }) => provider === 'password');
        return (
          <OwnerGate profile={profile} providers={providers}>
            <InPlace fallback={<Loading />}>
              <div className="grid grid-cols-1 gap-12">
                <NameForm profile={profile} />
                <Panel title="E-mail address" aria-label="E-mail address">
                  <EmailAddress profile={profile} mails={mails} />
                </Panel>
                <Panel title="Room" aria-label="Room">
                  <Quotas />
                </Panel>
                <Panel title="Your data">
                  <ExportAccount />
                </Panel>
                <Panel title="Delete the account">
                  <DeleteAccount profile={profile} hasPassword={hasPassword} />
                </Panel>
              </div>
            </InPlace>
          </OwnerGate>
        );
      }}
    </QueryView>
  );
}
