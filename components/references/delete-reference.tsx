'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog, Points } from '#components/ui/confirm-dialog';
import { toast } from '#components/ui/toast';
import { orGone } from '#lib/client/or-gone';
import { referencesQuery } from '#lib/client/cast-queries';
import { api } from '#lib/client/queries';
import type { ReferenceWire } from '#lib/contract/cast-schemas';

export function DeleteReference({ reference, onClose }: { reference: ReferenceWire; onClose: () => void }) {
  const { id, name, handle, kind } = reference;
  const queries = useQueryClient();
  const remove = async () => {
    await orGone(api.deleteReference({ params: { reference_id: id } }));
    queries.setQueryData(referencesQuery.queryKey, all => all?.filter(other => other.id !== id));
    toast({ title: `${name} is deleted.` });
  };
  return (
    <ConfirmDialog title={`Delete ${name}?`} confirm={`Delete ${name}`} leave="Keep" act={remove} onClose={onClose}>
      <Points>
        <li>The {kind === 'audio' ? 'audio' : 'image'} is deleted. This cannot be undone.</li>
        <li>A prompt that mentions @{handle} is refused from now on, and anyone may take the handle.</li>
        <li>Results made with it stay in your history, and what is in progress is finished.</li>
      </Points>
    </ConfirmDialog>
  );
}
