'use client';

import { OwnerPanels } from '#components/security/owner-panels';
import { SecondStep } from '#components/security/second-step';
import { Sessions } from '#components/security/sessions';
import { WaysIn } from '#components/security/ways-in';
import { besidePage } from '#components/ui/on-demand';
import { Panel } from '#components/ui/panel';

const ChangePassword = besidePage(async () => (await import('#components/account/change-password')).ChangePassword);

/** The Security tab. `providers`: sign-in providers that the account can be connected with. */
export function Security({ providers }: { providers: readonly { id: string; name: string }[] }) {
  return (
    <OwnerPanels providers={providers}>
      {(profile, hasPassword) => (
        <>
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
        </>
      )}
    </OwnerPanels>
  );
}
