'use client';

import { PasswordInput } from '#components/auth/password-input';
import { Refused } from '#components/auth/refused';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { TextLink } from '#components/ui/text-link';
import { useContractForm } from '#components/ui/use-contract-form';
import { accountApi } from '#lib/client/account-api';
import { signIn } from '#lib/contract/account-schemas';

export function SignInForm({ next }: { next: string }) {
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: signIn,
    defaultValues: { email: '', password: '' },
    send: body => accountApi.signIn({ body }),
    // a whole new page: nothing of whoever was signed in before stays
    done: () => location.assign(next),
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="E-mail" error={problem('email')}>
        <Input type="email" autoComplete="username" {...register('email')} />
      </Field>
      <Field
        label="Password"
        error={problem('password')}
        aside={
          <TextLink href="/reset-password" className="text-soft decoration-1">
            Forgot it?
          </TextLink>
        }
      >
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      <Button type="submit" tone="primary" size="lg" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
