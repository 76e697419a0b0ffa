'use client';

import { useQueryClient } from '@tanstack/react-query';
import { PasswordInput } from '#components/auth/password-input';
import { useOwnerGate } from '#components/security/owner-gate';
import { Field } from '#components/ui/field';
import { Refused } from '#components/ui/refused';
import { SubmitButton } from '#components/ui/submit-button';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { profileQuery } from '#lib/client/account-queries';

export function ChangePassword({ hasPassword }: { hasPassword: boolean }) {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const blank = { password: '', ...(hasPassword && { current_password: '' }) };
  const { register, submit, problem, refusal, busy, reset } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).changePassword,
    defaultValues: blank,
    send: body => gate(() => studioApi.changePassword({ body })),
    done: () => {
      reset(blank);
      void queries.invalidateQueries(profileQuery);
      toast({ tone: 'good', title: 'Password changed.', description: 'All other browsers are signed out.' });
    },
  });
  return (
    <form onSubmit={submit} noValidate className="grid max-w-md gap-4">
      <Refused refusal={refusal} />
      {hasPassword && (
        <Field label="Current password" error={problem('current_password')}>
          <PasswordInput autoComplete="current-password" {...register('current_password')} />
        </Field>
      )}
      <Field
        label="New password"
        error={problem('password')}
        hint="At least 10 characters. Changing it signs out all other browsers."
      >
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <SubmitButton className="justify-self-start" busy={busy}>
        {hasPassword ? 'Change password' : 'Set password'}
      </SubmitButton>
    </form>
  );
}
