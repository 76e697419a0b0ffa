'use client';

import { useState } from 'react';
import { Refused } from '#components/auth/refused';
import { useOwnerGate } from '#components/security/owner-gate';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { useContractForm } from '#components/ui/use-contract-form';
import { accountApi } from '#lib/client/account-api';

export function EmailForm() {
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
