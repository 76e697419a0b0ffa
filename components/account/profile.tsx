'use client';

import { DeleteAccount } from '#components/account/delete-account';
import { EmailAddress } from '#components/account/email-address';
import { ExportAccount } from '#components/account/export-account';
import { Quotas } from '#components/account/quotas';
import { OwnerPanels } from '#components/security/owner-panels';
import { besidePage } from '#components/ui/on-demand';
import { Panel } from '#components/ui/panel';

const NameForm = besidePage(async () => (await import('#components/account/name-form')).NameForm);

/** The Profile tab. `providers`: sign-in providers that the deployment has; `mails`: whether it sends mail. */
export function Profile({ providers, mails }: { providers: readonly { id: string; name: string }[]; mails: boolean }) {
  return (
    <OwnerPanels providers={providers}>
      {(profile, hasPassword) => (
        <>
          <NameForm profile={profile} />
          <Panel title="E-mail address" aria-label="E-mail address">
            <EmailAddress profile={profile} mails={mails} />
          </Panel>
          <Panel title="Storage and limits" aria-label="Storage and limits">
            <Quotas />
          </Panel>
          <Panel title="Your data">
            <ExportAccount />
          </Panel>
          <Panel title="Delete the account">
            <DeleteAccount profile={profile} hasPassword={hasPassword} />
          </Panel>
        </>
      )}
    </OwnerPanels>
  );
}
