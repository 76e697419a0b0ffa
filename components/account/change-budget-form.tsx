'use client';

import { useQueryClient } from '@tanstack/react-query';
import { DialogSubmit } from '#components/ui/dialog-submit';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { keysQuery } from '#lib/client/account-queries';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';

type Props = { apiKey: ApiKeyWire; onDone: () => void; onDirty: (is: boolean) => void };

export function BudgetForm({ apiKey, onDone, onDirty }: Props) {
  const queries = useQueryClient();
  const { wholeNumber, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/api-key-schemas')).changeApiKey,
    defaultValues: { monthly_budget: apiKey.monthly_budget },
    send: body => studioApi.changeKey({ params: { key_id: apiKey.id }, body }),
    done: () => {
      void queries.invalidateQueries(keysQuery);
      onDone();
    },
    onDirty,
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field
        label="Monthly budget"
        error={problem('monthly_budget')}
        hint={`The most gems it may spend in a calendar month (UTC); ${apiKey.spent_this_month.toLocaleString('en')} so far. Leave empty for no limit.`}
      >
        <Input {...wholeNumber('monthly_budget')} />
      </Field>
      <DialogSubmit busy={busy}>Save budget</DialogSubmit>
    </form>
  );
}
