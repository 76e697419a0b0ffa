'use client';

import { PasswordInput } from '#components/auth/password-input';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { SubmitButton } from '#components/ui/submit-button';
import { asText, useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';

/** Form for a new account. `invite` is the token of an invitation, `email` the address that it names. */
export function SignUpForm({ next, invite, email }: { next: string; invite?: string; email?: string }) {
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).signUp,
    defaultValues: { email: email ?? '', name: null, password: '', invite },
    send: body => studioApi.signUp({ body }),
    done: () => location.assign(next),
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="E-mail" error={problem('email')} hint={email && 'The invitation is for this address.'}>
        <Input type="email" autoComplete="username" readOnly={email !== undefined} {...register('email')} />
      </Field>
      <Field label="Name" error={problem('name')} aside="optional">
        <Input autoComplete="name" {...register('name', { setValueAs: asText })} />
      </Field>
      <Field label="Password" error={problem('password')} hint="At least 10 characters. A few words work well.">
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <SubmitButton tone="primary" size="lg" busy={busy}>
        Create account
      </SubmitButton>
    </form>
  );
}
