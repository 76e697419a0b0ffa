'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Refused } from '#components/auth/refused';
import { Button } from '#components/ui/button';
import { DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { asNumber, useContractForm } from '#components/ui/use-contract-form';
import { accountApi } from '#lib/client/account-api';
import { keysQuery } from '#lib/client/account-queries';
import type { ApiKeyWire } from '#lib/contract/account-schemas';

export function BudgetForm({ apiKey, onDone }: { apiKey: ApiKeyWire; onDone: () => void }) {
  const queries = useQueryClient();
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/account-schemas')).changeApiKey,
    defaultValues: { monthly_budget: apiKey.monthly_budget },
    send: body => accountApi.changeKey({ params: { key_id: apiKey.id }, body }),
    done: () => {
      void queries.invalidateQueries(keysQuery);
      onDone();
    },
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field
        label="Monthly budget"
        error={problem('monthly_budget')}
        hint={`Most gems in a calendar month (UTC), of which ${apiKey.spent_this_month.toLocaleString('en')} are spent. Empty: no limit of its own.`}
      >
        <Input
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          {...register('monthly_budget', { setValueAs: asNumber })}
        />
      </Field>
      <div className="flex justify-end gap-3">
        <DialogClose>
          <Button tone="ghost">Leave it</Button>
        </DialogClose>
        <Button type="submit" tone="primary" busy={busy}>
          Save budget
        </Button>
      </div>
    </form>
  );
}
