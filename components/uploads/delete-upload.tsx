'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '#components/cast/confirm-dialog';
import { nameOf } from '#components/uploads/upload-row';
import { toast } from '#components/ui/toast';
import { api, uploadsQuery } from '#lib/client/queries';
import type { UploadWire } from '#lib/contract/cast-schemas';

export function DeleteUpload({ upload, onClose }: { upload: UploadWire; onClose: () => void }) {
  const queries = useQueryClient();
  const remove = async () => {
    await api.deleteUpload({ params: { upload_id: upload.id } });
    queries.setQueryData(uploadsQuery.queryKey, all => all?.filter(({ id }) => id !== upload.id));
    toast({ title: 'The upload is deleted.' });
  };
  return (
    <ConfirmDialog title={`Delete ${nameOf(upload)}?`} action="Delete the file" onConfirm={remove} onClose={onClose}>
      <li>Its address stops working at once, also where you have used it in a form or a script.</li>
      <li>Characters, references and results made from it stay: they have copies of their own.</li>
    </ConfirmDialog>
  );
}
