'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { Select } from '#components/ui/select';
import { asText, useContractForm } from '#components/ui/use-contract-form';
import { operatorApi } from '#lib/client/operator-api';
import type { Output } from '#lib/client/studio-api';

const SPANS = [
  { value: '1', label: 'A day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

export function InviteForm({
  onMade,
  onDirty,
}: {
  onMade: (invite: Output<'createInvite'>) => void;
  onDirty: (is: boolean) => void;
}) {
  const queries = useQueryClient();
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/admin-schemas')).newInvite,
    defaultValues: { email: null, days: 7 },
    send: body => operatorApi.createInvite({ body }),
    done: invite => {
      void queries.invalidateQueries({ queryKey: ['admin'] });
      onMade(invite);
    },
    onDirty,
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field
        label="E-mail"
        aside="optional"
        error={problem('email')}
        hint="Only this address can use the link. Leave empty for anyone."
      >
        <Input type="email" autoComplete="off" {...register('email', { setValueAs: asText })} />
      </Field>
      <Field label="Valid for" error={problem('days')}>
        <Select options={SPANS} {...register('days', { valueAsNumber: true })} />
      </Field>
      <Button type="submit" tone="primary" busy={busy} className="justify-self-end">
        Create link
      </Button>
    </form>
  );
}
