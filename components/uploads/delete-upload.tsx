'use client';

import { useQueryClient } from '@tanstack/react-query';
import { nameOf } from '#components/uploads/upload-row';
import { ConfirmDialog, Points } from '#components/ui/confirm-dialog';
import { toast } from '#components/ui/toast';
import { orGone } from '#lib/client/or-gone';
import { uploadsQuery } from '#lib/client/cast-queries';
import { api } from '#lib/client/queries';
import type { UploadWire } from '#lib/contract/cast-schemas';
import type { ListWire } from '#lib/contract/schemas';

export function DeleteUpload({ upload, onClose }: { upload: UploadWire; onClose: () => void }) {
  const queries = useQueryClient();
  const remove = async () => {
    await orGone(api.deleteUpload({ params: { upload_id: upload.id } }));
    queries.setQueryData(uploadsQuery.queryKey, all => {
      const without = (page: ListWire<UploadWire>) => ({
        ...page,
        data: page.data.filter(({ id }) => id !== upload.id),
      });
      return all && { ...all, pages: all.pages.map(without) };
    });
    toast({ title: 'Upload deleted.' });
  };
  return (
    <ConfirmDialog
      title={`Delete ${nameOf(upload)}?`}
      confirm="Delete the file"
      leave="Keep"
      act={remove}
      onClose={onClose}
    >
      <Points>
        <li>Its address stops working at once, even where you have used it in a form or a script.</li>
        <li>Characters, references and results made from it stay: they have copies of their own.</li>
      </Points>
    </ConfirmDialog>
  );
}
