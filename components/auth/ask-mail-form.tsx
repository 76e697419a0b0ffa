'use client';

import { useState } from 'react';
import { useOwnerGate } from '#components/security/owner-gate';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { SubmitButton } from '#components/ui/submit-button';
import { useContractForm } from '#components/ui/use-contract-form';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { studioApi } from '#lib/client/studio-api';

type Body = { email: string; next?: string | undefined };
const STRANGER = {
  label: 'E-mail',
  autoComplete: 'username',
  next: 'Nothing arrived? Check the address and your spam folder.',
};
const LINKS = {
  'new account': { ...STRANGER, ask: (body: Body) => studioApi.askSignUp({ body }) },
  'new password': { ...STRANGER, ask: (body: Body) => studioApi.askPasswordReset({ body }) },
  'new address': {
    ask: ({ email }: Body) => studioApi.askEmailChange({ body: { email } }),
    label: 'New e-mail address',
    autoComplete: 'email',
    next: 'Open it within a day in a browser where you are signed in.',
  },
};

/** Requests a link by mail, then says where it was sent. `next` is the page to open after the link. */
export function AskMailForm({
  link,
  next,
  onDirty,
}: {
  link: keyof typeof LINKS;
  next?: string | undefined;
  onDirty?: ((is: boolean) => void) | undefined;
}) {
  const { ask, label, autoComplete, next: then } = LINKS[link];
  const gate = useOwnerGate();
  const kept = useKeptFocus();
  const [sent, setSent] = useState<{ message: string; email: string }>();
  const { register, getValues, reset, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).wayIn,
    defaultValues: { email: '', next },
    send: body => gate(() => ask(body)),
    done: ({ message }) => {
      const values = getValues();
      setSent({ message, email: values.email });
      // the form counts as saved, and keeps the address so that a typo can be corrected
      reset(values);
    },
    onDirty,
  });
  return (
    <div {...kept}>
      {sent ? (
        <Alert tone="good" title={sent.message} action={<Button onClick={() => setSent(undefined)}>Ask again</Button>}>
          <p className="break-all text-ink">{sent.email}</p>
          <p>{then}</p>
        </Alert>
      ) : (
        <form onSubmit={submit} noValidate className="grid gap-5">
          <Refused refusal={refusal} />
          <Field label={label} error={problem('email')}>
            <Input type="email" autoComplete={autoComplete} {...register('email')} />
          </Field>
          <SubmitButton tone="primary" size="lg" busy={busy}>
            Send the link
          </SubmitButton>
        </form>
      )}
    </div>
  );
}
