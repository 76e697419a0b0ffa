'use client';

import { useState } from 'react';
import { withNext } from '#components/auth/next-path';
import { PasswordInput } from '#components/auth/password-input';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { SubmitButton } from '#components/ui/submit-button';
import { TextLink } from '#components/ui/text-link';
import { useContractForm } from '#components/ui/use-contract-form';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { studioApi } from '#lib/client/studio-api';

/**
 * Signs in with a password, and the code of the second step where the account has one. `email` fixes the account, whose
 * address is then not asked for; `next` is the page to open afterwards.
 */
export function SignInForm({ email, next, done }: { email?: string; next?: string; done: () => void }) {
  const [wantsCode, setWantsCode] = useState(false);
  const kept = useKeptFocus<HTMLFormElement>();
  const { register, reset, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).signIn,
    defaultValues: { email: email ?? '', password: '', code: undefined },
    send: body => studioApi.signIn({ body }),
    done: ({ account }) => (account ? done() : setWantsCode(true)),
  });
  return (
    <form {...kept} onSubmit={submit} noValidate className="grid gap-5">
      <Refused
        refusal={refusal}
        hint={refusal?.code === 'rate_limited' && 'Until then even the right password is refused.'}
      />
      {/* hidden rather than removed, because password managers need the user name */}
      <Field label="E-mail" error={problem('email')} className={email || wantsCode ? 'hidden' : ''}>
        <Input type="email" autoComplete="username" readOnly={email !== undefined} {...register('email')} />
      </Field>
      <Field label="Password" error={problem('password')} className={wantsCode ? 'hidden' : ''}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      {/* after the password, so that Tab leads from the address to the password */}
      {!wantsCode && (
        <TextLink
          href={withNext('/reset-password', next)}
          className="finger-line -mt-2.5 justify-self-end text-xs text-soft decoration-1 pointer-coarse:text-sm"
        >
          Forgot it?
        </TextLink>
      )}
      {wantsCode && (
        <Field label="Code" error={problem('code')} hint="The six digits your app shows now, or a recovery code.">
          <Input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the fields that were just submitted
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className="figures"
            {...register('code', { setValueAs: value => value || undefined })}
          />
        </Field>
      )}
      <SubmitButton tone="primary" size="lg" busy={busy}>
        Sign in
      </SubmitButton>
      {wantsCode && email === undefined && (
        <Button
          tone="ghost"
          onClick={() => {
            setWantsCode(false);
            reset();
          }}
        >
          Use another account
        </Button>
      )}
    </form>
  );
}
