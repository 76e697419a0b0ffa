'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ExpiryInput } from '#components/account/expiry-input';
import { ScopeInput } from '#components/account/scope-input';
import { DialogSubmit } from '#components/ui/dialog-submit';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi, type Output } from '#lib/client/studio-api';
import { keysQuery } from '#lib/client/account-queries';

export type CreatedKey = Output<'createKey'>;

export function CreateKeyForm({
  onCreated,
  onDirty,
}: {
  onCreated: (key: CreatedKey) => void;
  onDirty: (is: boolean) => void;
}) {
  const queries = useQueryClient();
  const { register, wholeNumber, setValue, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/api-key-schemas')).newApiKey,
    defaultValues: { name: '', scopes: null, expires_at: null, monthly_budget: null, in_flight_limit: null },
    send: body => studioApi.createKey({ body }),
    done: key => {
      void queries.invalidateQueries(keysQuery);
      onCreated(key);
    },
    onDirty,
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="Name" error={problem('name')} hint="What will use it, such as “render script”.">
        <Input autoComplete="off" {...register('name')} />
      </Field>
      <ScopeInput error={problem('scopes')} onChange={scopes => setValue('scopes', scopes, { shouldDirty: true })} />
      <ExpiryInput
        error={problem('expires_at')}
        onChange={value => setValue('expires_at', value, { shouldDirty: true })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Monthly budget"
          aside="optional"
          error={problem('monthly_budget')}
          hint="The most gems it may spend in a calendar month (UTC)."
        >
          <Input {...wholeNumber('monthly_budget')} />
        </Field>
        <Field
          label="In flight"
          aside="optional"
          error={problem('in_flight_limit')}
          hint="The most requests it may run at a time."
        >
          <Input {...wholeNumber('in_flight_limit', 1)} />
        </Field>
      </div>
      <DialogSubmit busy={busy}>Create key</DialogSubmit>
    </form>
  );
}
