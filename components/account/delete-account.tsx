'use client';

import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

const DeleteForm = onDemand(async () => (await import('#components/account/delete-account-form')).DeleteForm);

type Props = { profile: AccountProfileWire; hasPassword: boolean };

export function DeleteAccount({ profile, hasPassword }: Props) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="max-w-prose text-sm text-soft">
        Deletes everything at once and for good: requests, images, videos and audio, characters, references and keys.
        This cannot be undone.
      </p>
      <Dialog title="Delete this account?" trigger={<Button tone="danger">Delete account…</Button>}>
        <DeleteForm profile={profile} hasPassword={hasPassword} />
      </Dialog>
    </div>
  );
}
