'use client';

import { useOwnerGate } from '#components/security/owner-gate';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { useContractForm } from '#components/ui/use-contract-form';
import { operatorApi } from '#lib/client/operator-api';
import type { Output } from '#lib/client/studio-api';

export function EmailLinkForm({
  id,
  onMade,
  onDirty,
}: {
  id: string;
  onMade: (link: Output<'makeEmailLink'>) => void;
  onDirty: (is: boolean) => void;
}) {
  const gate = useOwnerGate();
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).mailedLink,
    defaultValues: { email: '' },
    send: body => gate(() => operatorApi.makeEmailLink({ params: { account_id: id }, body })),
    done: onMade,
    onDirty,
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="New e-mail address" error={problem('email')}>
        <Input type="email" autoComplete="off" {...register('email')} />
      </Field>
      <Button type="submit" tone="primary" busy={busy} className="justify-self-start">
        Create link
      </Button>
    </form>
  );
}
