'use client';

import { useRouter } from 'next/navigation';
import { useQueryClient } from '@tanstack/react-query';
import { Avatar } from '#components/ui/avatar';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Moment } from '#components/ui/moment';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { asText, useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { profileQuery } from '#lib/client/account-queries';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

/** Identity of the account, with a form for its name. */
export function NameForm({ profile }: { profile: AccountProfileWire }) {
  const kept = useKeptFocus();
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex items-center gap-4">
        <span aria-hidden>
          <Avatar name={profile.name ?? profile.email} size="lg" />
        </span>
        <div className="grid min-w-0">
          <p className="truncate font-medium">{profile.email}</p>
          <p className="text-sm text-faint">
            Member since <Moment at={profile.created_at} as="day" />
            {profile.operator && ' · operator'}
          </p>
        </div>
      </div>
      {/* remounted when the name was changed elsewhere, because saving the old one would undo that change */}
      <div {...kept}>
        <Form key={profile.name} name={profile.name} />
      </div>
    </div>
  );
}

function Form({ name }: Pick<AccountProfileWire, 'name'>) {
  const queries = useQueryClient();
  const router = useRouter();
  const { register, submit, problem, refusal, busy, dirty } = useContractForm({
    schema: async () => (await import('#lib/contract/account-schemas')).patchProfile,
    defaultValues: { name },
    send: body => studioApi.changeProfile({ body }),
    done: changed => {
      queries.setQueryData(profileQuery.queryKey, changed);
      // the account menu gets the name from the server layout
      router.refresh();
      toast({ tone: 'good', title: 'Name saved.' });
    },
  });
  return (
    <form onSubmit={submit} noValidate className="grid max-w-md gap-4">
      <Refused refusal={refusal} />
      <Field label="Name" aside="optional" error={problem('name')}>
        <Input autoComplete="name" {...register('name', { setValueAs: asText })} />
      </Field>
      <Button type="submit" className="justify-self-start" disabled={!dirty} busy={busy}>
        Save name
      </Button>
    </form>
  );
}
