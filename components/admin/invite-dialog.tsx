'use client';

import { useState } from 'react';
import { Plus } from 'lucide-react';
import { SecretLink } from '#components/admin/secret-link';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import type { Output } from '#lib/client/studio-api';

const InviteForm = onDemand(async () => (await import('#components/admin/invite-form')).InviteForm);

export function InviteDialog() {
  const [made, setMade] = useState<Output<'createInvite'>>();
  const [isUnsaved, setUnsaved] = useState(false);
  return (
    <Dialog
      title="Invite someone"
      isUnsaved={isUnsaved}
      stays={made !== undefined}
      onOpenChange={() => setMade(undefined)}
      trigger={
        <Button tone="primary">
          <Plus className="size-4" aria-hidden /> Invite someone
        </Button>
      }
    >
      {made ? (
        <SecretLink url={made.url} expiresAt={made.expires_at} />
      ) : (
        <InviteForm onMade={setMade} onDirty={setUnsaved} />
      )}
    </Dialog>
  );
}
