'use client';

import { useQuery } from '@tanstack/react-query';
import { OwnerGate } from '#components/security/owner-gate';
import { SecondStep } from '#components/security/second-step';
import { Sessions } from '#components/security/sessions';
import { WaysIn } from '#components/security/ways-in';
import { besidePage, InPlace } from '#components/ui/on-demand';
import { Panel } from '#components/ui/panel';
import { Loading, QueryView } from '#components/ui/query-view';
import { profileQuery } from '#lib/client/account-queries';

const ChangePassword = besidePage(async () => (await import('#components/account/change-password')).ChangePassword);

/** The Security tab. `providers` are those that the account can be connected with. */
export function Security({ providers }: { providers: readonly { id: string; name: string }[] }) {
  const query = useQuery(profileQuery);
  return (
    <QueryView query={query}>
      {profile => {
        const hasPassword = profile.sign_ins.some(({ provider }) => provider === 'password');
        return (
          <OwnerGate profile={profile} providers={providers}>
            <InPlace fallback={<Loading />}>
              <div className="grid grid-cols-1 gap-12">
                <Panel title="Ways to sign in">
                  <WaysIn ways={profile.sign_ins} providers={providers} />
                </Panel>
                <Panel title={hasPassword ? 'Password' : 'Set a password'}>
                  <ChangePassword hasPassword={hasPassword} />
                </Panel>
                {hasPassword && (
                  <Panel title="Second step">
                    <SecondStep step={profile.second_step} />
                  </Panel>
                )}
                <Panel title="Sessions">
                  <Sessions />
                </Panel>
              </div>
            </InPlace>
          </OwnerGate>
        );
      }}
    </QueryView>
  );
}
