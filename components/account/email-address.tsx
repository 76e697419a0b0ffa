'use client';

import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Refused } from '#components/auth/refused';
import { useOwnerGate } from '#components/security/owner-gate';
import { Alert } from '#components/ui/alert';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { accountApi } from '#lib/client/account-api';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

/** The address of the account. `mails`: the deployment sends mail, and so can show whose an address is. */
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
          This deployment sends no mail. For another address, ask the operator for a link.
        </p>
      )}
    </div>
  );
}

function Verify({ email }: { email: string }) {
  const gate = useOwnerGate();
  const ask = useMutation({
    mutationFn: () => gate(() => accountApi.askEmailChange({ body: { email } })),
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
  return (
    <Dialog
      title="Another e-mail address"
      description="A link is mailed to it. Nothing changes before you open the link here."
      trigger={<Button>Change address…</Button>}
    >
      <EmailForm />
    </Dialog>
  );
}

function EmailForm() {
  const gate = useOwnerGate();
  const [sent, setSent] = useState<string>();
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/account-schemas')).newEmail,
    defaultValues: { email: '' },
    send: body => gate(() => accountApi.askEmailChange({ body })),
    done: ({ message }) => setSent(message),
  });
  if (sent) {
    return (
      <Alert tone="good" title={sent}>
        Open it within a day in a browser where you are signed in.
      </Alert>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="New e-mail address" error={problem('email')}>
        <Input type="email" autoComplete="email" {...register('email')} />
      </Field>
      <Button type="submit" tone="primary" size="lg" busy={busy}>
        Send the link
      </Button>
    </form>
  );
}
