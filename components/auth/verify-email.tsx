'use client';

import { Refused } from '#components/ui/refused';
import { SubmitButton } from '#components/ui/submit-button';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';

/** Confirms an e-mail address by a button, because mail scanners open links by themselves. */
export function VerifyEmail({ token }: { token: string }) {
  const { submit, refusal, busy, formState } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).emailToken,
    defaultValues: { token },
    send: body => studioApi.changeEmail({ body }),
    done: () => location.assign('/account/profile'),
  });
  const spent = formState.errors.token?.message;
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} message={spent} />
      <SubmitButton tone="primary" size="lg" busy={busy}>
        Yes, it is mine
      </SubmitButton>
    </form>
  );
}
