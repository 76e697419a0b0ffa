'use client';

import { lazy, useState } from 'react';
import { SecretLink } from '#components/admin/secret-link';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { type Output } from '#lib/client/account-api';

const InviteForm = lazy(() => import('#components/admin/invite-form').then(module => ({ default: module.InviteForm })));

export function InviteDialog() {
  const [made, setMade] = useState<Output<'createInvite'>>();
  return (
    <Dialog
      title="Invite somebody"
      onOpenChange={() => setMade(undefined)}
      trigger={<Button tone="primary">Invite somebody</Button>}
    >
      {made ? <SecretLink url={made.url} expiresAt={made.expires_at} /> : <InviteForm onMade={setMade} />}
    </Dialog>
  );
}
