'use client';

import { useQueryClient } from '@tanstack/react-query';
import { DialogSubmit } from '#components/ui/dialog-submit';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { once } from '#components/ui/once';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { operatorApi } from '#lib/client/operator-api';
import { many } from '#lib/contract/words';

interface Props {
  account: { id: string; email: string };
  onGranted: () => void;
  onDirty: (is: boolean) => void;
}

export function GrantForm({ account, onGranted, onDirty }: Props) {
  const queries = useQueryClient();
  const { register, wholeNumber, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/admin-schemas')).grant,
    defaultValues: { gems: 1000, reason: '' },
    send: body =>
      once(`grant ${account.id}`, body, key => {
        const headers = { 'idempotency-key': key };
        return operatorApi.grantGems({ params: { account_id: account.id }, headers, body });
      }),
    done: ({ balance, entry }) => {
      void queries.invalidateQueries({ queryKey: ['admin'] });
      void queries.invalidateQueries({ queryKey: ['account'] });
      onGranted();
      toast({
        tone: 'good',
        title: `${many(entry.gems, 'gem')} granted.`,
        description: `${account.email} now has ${balance.toLocaleString('en')}.`,
      });
    },
    onDirty,
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="Gems" error={problem('gems')}>
        <Input {...wholeNumber('gems', 1)} />
      </Field>
      <Field label="Reason" error={problem('reason')} hint="The account holder sees it too.">
        <Input autoComplete="off" {...register('reason')} />
      </Field>
      <DialogSubmit busy={busy}>Grant gems</DialogSubmit>
    </form>
  );
}
