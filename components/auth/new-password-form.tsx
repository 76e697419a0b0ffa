'use client';

import { withNext } from '#components/auth/next-path';
import { PasswordInput } from '#components/auth/password-input';
import { Field } from '#components/ui/field';
import { Refused } from '#components/ui/refused';
import { SubmitButton } from '#components/ui/submit-button';
import { TextLink } from '#components/ui/text-link';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';

/** Form behind a reset link. */
export function NewPasswordForm({ token, next }: { token: string; next: string }) {
  const { register, submit, problem, refusal, busy, formState } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).passwordReset,
    defaultValues: { token, password: '' },
    send: body => studioApi.resetPassword({ body }),
    // with a second step, the new password alone does not sign the user in
    done: ({ account }) => location.assign(account ? next : withNext('/sign-in', next)),
  });
  const spent = formState.errors.token?.message;
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused
        refusal={refusal}
        message={spent}
        hint={spent && <TextLink href={withNext('/reset-password', next)}>Ask for another link</TextLink>}
      />
      <Field
        label="New password"
        error={problem('password')}
        hint="At least 10 characters. You are signed in here, and signed out everywhere else."
      >
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <SubmitButton tone="primary" size="lg" busy={busy}>
        Set password and sign in
      </SubmitButton>
    </form>
  );
}
