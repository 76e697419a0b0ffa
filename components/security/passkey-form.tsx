'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useOwnerGate } from '#components/security/owner-gate';
import { Alert } from '#components/ui/alert';
import { DialogSubmit } from '#components/ui/dialog-submit';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { withReason } from '#components/ui/on-demand';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { profileQuery, sessionsQuery } from '#lib/client/account-queries';
import { passkeyTrouble } from '#lib/client/passkey-trouble';

type Props = { onAdded: () => void; onDirty: (is: boolean) => void };

export function PasskeyForm({ onAdded, onDirty }: Props) {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const [trouble, setTrouble] = useState<string>();
  const here = queries.getQueryData(sessionsQuery.queryKey)?.find(({ current }) => current)?.device;
  const { register, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).newPasskey.pick({ name: true }),
    defaultValues: { name: here ?? '' },
    send: async ({ name }) => {
      setTrouble(undefined);
      const { options } = await gate(() => studioApi.askForPasskey());
      const credential = await makePasskey(options).catch((error: Error) => setTrouble(passkeyTrouble(error)));
      if (!credential) return false;
      await studioApi.addPasskey({ body: { name, credential: { ...credential, clientExtensionResults: {} } } });
      return true;
    },
    done: async added => {
      if (!added) return;
      await queries.invalidateQueries(profileQuery);
      toast({ tone: 'good', title: 'Passkey added.' });
      onAdded();
    },
    onDirty,
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      {trouble && <Alert tone="bad" title={trouble} />}
      <Field label="Name" error={problem('name')} hint="To tell it from your other passkeys.">
        <Input autoComplete="off" {...register('name')} />
      </Field>
      <DialogSubmit busy={busy} leave="Not now">
        Create passkey
      </DialogSubmit>
    </form>
  );
}

async function makePasskey(options: Record<string, unknown>) {
  const { startRegistration } = await import('@simplewebauthn/browser').catch(withReason);
  return await startRegistration({ optionsJSON: options as never });
}
