'use client';

import { useId, useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQueryClient } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Textarea } from '#components/ui/textarea';
import { asText, useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { NAME_LENGTH, NOTES_LENGTH } from '#lib/contract/library-limits';
import type { CollectionWire } from '#lib/contract/library-schemas';

/** Form for the name and notes of a collection; without `collection`, it creates a new one. */
export function CollectionForm({ collection, onClose }: { collection?: CollectionWire; onClose: () => void }) {
  const id = useId();
  const queries = useQueryClient();
  const router = useRouter();
  const [isMade, setMade] = useState(false);
  const { register, submit, problem, refusal, busy, dirty } = useContractForm({
    schema: async () => (await import('#lib/contract/library-schemas')).newCollection.pick({ name: true, notes: true }),
    defaultValues: { name: collection?.name ?? '', notes: collection?.notes ?? null },
    send: (body, changed) =>
      collection
        ? studioApi.changeCollection({ params: { collection_id: collection.id }, body: changed })
        : studioApi.createCollection({ body }),
    done: saved => {
      void queries.invalidateQueries({ queryKey: ['collections'] });
      if (collection) return onClose();
      // stays busy until the new page is shown, because a second press would create a second collection
      setMade(true);
      // replaces the history entry that opened the form
      router.replace(`/collections/${saved.id}`);
    },
  });
  return (
    <Dialog
      open
      title={collection ? 'Name and notes' : 'New collection'}
      isUnsaved={dirty}
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} tone="primary" busy={busy || isMade}>
            {collection ? 'Save' : 'Create'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="grid gap-6">
        {refusal && <Alert tone="bad" title={refusal.message} />}
        <Field label="Name" required error={problem('name')}>
          <Input autoComplete="off" maxLength={NAME_LENGTH} placeholder="Harbour at night" {...register('name')} />
        </Field>
        <Field label="Notes" aside="optional" error={problem('notes')}>
          <Textarea rows={4} maxLength={NOTES_LENGTH} {...register('notes', { setValueAs: asText })} />
        </Field>
      </form>
    </Dialog>
  );
}
