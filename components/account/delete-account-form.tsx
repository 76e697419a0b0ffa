'use client';

import { PasswordInput } from '#components/auth/password-input';
import { useOwnerGate } from '#components/security/owner-gate';
import { Button } from '#components/ui/button';
import { DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { GemAmount } from '#components/ui/gem-amount';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

export type DeleteFormProps = { profile: AccountProfileWire; hasPassword: boolean };

export function DeleteForm({ profile, hasPassword }: DeleteFormProps) {
  const gate = useOwnerGate();
  const { register, submit, problem, refusal, busy, watch } = useContractForm({
    schema: async () => (await import('#lib/contract/account-schemas')).deleteAccount,
    defaultValues: { confirm: '', ...(hasPassword && { password: '' }) },
    send: body => gate(() => studioApi.deleteAccount({ body })),
    done: () => location.assign('/'),
  });
  const confirmed = watch('confirm').trim().toLowerCase() === profile.email.toLowerCase();
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <ul className="grid list-disc gap-1.5 pl-5 text-sm text-soft marker:text-danger">
        <li>Requests that are queued or in progress are cancelled.</li>
        <li>Every result and upload is deleted; links to them stop working.</li>
        <li>Characters and references are deleted, published ones too; their handles become free.</li>
        <li>All API keys stop working at once.</li>
        <li>
          The remaining <GemAmount gems={profile.balance} className="text-ink" /> are lost. They are not refunded.
        </li>
      </ul>
      <Refused refusal={refusal} />
      <Field label={<>Type {profile.email} to confirm</>} error={problem('confirm')}>
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...register('confirm')} />
      </Field>
      {hasPassword && (
        <Field label="Password" error={problem('password')}>
          <PasswordInput autoComplete="current-password" {...register('password')} />
        </Field>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose>
          <Button tone="ghost">Keep the account</Button>
        </DialogClose>
        <Button type="submit" tone="danger" disabled={!confirmed} busy={busy}>
          Delete for good
        </Button>
      </div>
    </form>
  );
}
