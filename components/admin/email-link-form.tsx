'use client';

import { useState } from 'react';
import { SecretLink } from '#components/admin/secret-link';
import { Refused } from '#components/auth/refused';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { useContractForm } from '#components/ui/use-contract-form';
import { accountApi } from '#lib/client/account-api';

/** Makes the link, and shows it. */
export function EmailLinkForm({ id }: { id: string }) {
  const [link, setLink] = useState<{ url: string; expires_at: string }>();
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/account-schemas')).mailedLink,
    defaultValues: { email: '' },
    send: body => accountApi.makeEmailLink({ params: { account_id: id }, body }),
    done: setLink,
  });
  if (link) return <SecretLink url={link.url} expiresAt={link.expires_at} />;
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="New e-mail address" error={problem('email')}>
        <Input type="email" autoComplete="off" {...register('email')} />
      </Field>
      <Button type="submit" tone="primary" busy={busy}>
        Make the link
      </Button>
    </form>
  );
}
