'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useOwnerGate } from '#components/security/owner-gate';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { Switch } from '#components/ui/switch';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { operatorApi } from '#lib/client/operator-api';
import { accountDetailQuery } from '#lib/client/admin-queries';
import type { AdminAccountDetailWire } from '#lib/contract/admin-schemas';

/** Permissions and limits of an account, effective from its next request. Only changed values are sent. */
export function AccountLimits({ account }: { account: AdminAccountDetailWire }) {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const { operator, may_generate, may_create_cast, in_flight_limit, top_up_limit } = account;
  const given = { operator, may_generate, may_create_cast, in_flight_limit, top_up_limit };
  const { register, wholeNumber, submit, problem, refusal, busy, dirty } = useContractForm({
    schema: async () => (await import('#lib/contract/admin-schemas')).patchAccount,
    defaultValues: given,
    send: values =>
      gate(() =>
        operatorApi.changeAccount({
          params: { account_id: account.id },
          body: Object.fromEntries(
            Object.entries(values).filter(([name, value]) => value !== given[name as keyof typeof given]),
          ),
        }),
      ),
    done: changed => {
      queries.setQueryData(accountDetailQuery(account.id).queryKey, changed);
      void queries.invalidateQueries({ queryKey: ['admin'] });
      toast({ tone: 'good', title: 'Saved. It applies from the next request on.' });
    },
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <Refused refusal={refusal} />
      <div className="grid gap-x-10 gap-y-4 sm:grid-cols-3">
        <Switch label="May generate" {...register('may_generate')} />
        <Switch label="May create characters" {...register('may_create_cast')} />
        <Switch label="Operator" {...register('operator')} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2 lg:max-w-2xl">
        <Field label="Live requests at a time" error={problem('in_flight_limit')}>
          <Input {...wholeNumber('in_flight_limit')} />
        </Field>
        <Field
          label="Top-ups in a month"
          error={problem('top_up_limit')}
          hint="The most gems that may go on the statement. 0 means none."
        >
          <Input {...wholeNumber('top_up_limit')} />
        </Field>
      </div>
      <Button type="submit" className="justify-self-start" disabled={!dirty} busy={busy}>
        Save
      </Button>
    </form>
  );
}
