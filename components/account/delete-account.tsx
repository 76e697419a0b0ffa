'use client';

import type { DeleteFormProps } from '#components/account/delete-account-form';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';

const DeleteForm = onDemand(async () => (await import('#components/account/delete-account-form')).DeleteForm);

export function DeleteAccount(props: DeleteFormProps) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="max-w-prose text-sm text-soft">
        Deletes everything at once and for good: requests, images, videos and audio, characters, references and keys.
        This cannot be undone.
      </p>
      <Dialog title="Delete this account?" trigger={<Button tone="danger">Delete account…</Button>}>
        <DeleteForm {...props} />
      </Dialog>
    </div>
  );
}
