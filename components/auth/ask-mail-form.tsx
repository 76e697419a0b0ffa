'use client';

import { useState } from 'react';
import { Refused } from '#components/auth/refused';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { useContractForm } from '#components/ui/use-contract-form';
import { accountApi } from '#lib/client/account-api';

type Body = { email: string };
const LINKS = {
  'new account': {
    schema: async () => (await import('#lib/contract/account-schemas')).askSignUp,
    send: (body: Body) => accountApi.askSignUp({ body }),
  },
  'new password': {
    schema: async () => (await import('#lib/contract/account-schemas')).askPasswordReset,
    send: (body: Body) => accountApi.askPasswordReset({ body }),
  },
};

/** Asks for a link that is mailed. */
export function AskMailForm({ link }: { link: keyof typeof LINKS }) {
  const [sent, setSent] = useState<string>();
  const { register, submit, problem, refusal, busy } = useContractForm({
    ...LINKS[link],
    defaultValues: { email: '' },
    done: ({ message }) => setSent(message),
  });
  if (sent) {
    return (
      <Alert tone="good" title={sent}>
        Nothing came? Look among the unwanted mail, then ask again.
      </Alert>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="E-mail" error={problem('email')}>
        <Input type="email" autoComplete="username" {...register('email')} />
      </Field>
      <Button type="submit" tone="primary" size="lg" busy={busy}>
        Send the link
      </Button>
    </form>
  );
}
