'use client';

import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useOwnerGate } from '#components/security/owner-gate';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

const AskMailForm = onDemand(async () => (await import('#components/auth/ask-mail-form')).AskMailForm);

/** E-mail address of the account. `mails`: whether the deployment sends mail, and so can verify addresses. */
export function EmailAddress({ profile, mails }: { profile: AccountProfileWire; mails: boolean }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
        <span className="break-all">{profile.email}</span>
        {profile.email_verified ? (
          <Badge tone="good" dot>
            Verified
          </Badge>
        ) : (
          mails && (
            <Badge tone="warn" dot>
              Not verified
            </Badge>
          )
        )}
      </p>
      {mails ? (
        <div className="flex flex-wrap gap-3">
          <ChangeEmail />
          {!profile.email_verified && <Verify email={profile.email} />}
        </div>
      ) : (
        <p className="max-w-prose text-sm text-soft">
          This deployment sends no mail. To change the address, ask the operator for a link.
        </p>
      )}
    </div>
  );
}

function Verify({ email }: { email: string }) {
  const gate = useOwnerGate();
  const ask = useMutation({
    mutationFn: () => gate(() => studioApi.askEmailChange({ body: { email } })),
    onSuccess: ({ message }) => toast({ tone: 'good', title: message }),
    onError: error => toast({ tone: 'bad', title: error.message }),
  });
  return (
    <Button busy={ask.isPending} onClick={() => ask.mutate()}>
      Send a link to verify it
    </Button>
  );
}

function ChangeEmail() {
  const [isUnsaved, setUnsaved] = useState(false);
  return (
    <Dialog
      title="Another e-mail address"
      description="We mail a link to it. Nothing changes until you open the link here."
      isUnsaved={isUnsaved}
      trigger={<Button>Change address…</Button>}
    >
      <AskMailForm link="new address" onDirty={setUnsaved} />
    </Dialog>
  );
}
