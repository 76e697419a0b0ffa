'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';

const GrantForm = onDemand(async () => (await import('#components/admin/grant-form')).GrantForm);

type Props = { account: { id: string; email: string } };

export function GrantDialog({ account }: Props) {
  const [open, setOpen] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  return (
    <Dialog
      title="Grant gems"
      description={`To ${account.email}. The reason appears in their ledger and in the audit log.`}
      isUnsaved={isUnsaved}
      open={open}
      onOpenChange={setOpen}
      trigger={<Button tone="primary">Grant gems</Button>}
    >
      <GrantForm account={account} onGranted={() => setOpen(false)} onDirty={setUnsaved} />
    </Dialog>
  );
}
