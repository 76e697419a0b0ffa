'use client';

import { useState } from 'react';
import { Fingerprint } from 'lucide-react';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';

const PasskeyForm = onDemand(async () => (await import('#components/security/passkey-form')).PasskeyForm);

export function AddPasskey() {
  const [open, setOpen] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  return (
    <Dialog
      title="Add a passkey"
      description="Sign in on this device with a fingerprint, a face or a PIN: no password, and nothing a fake page could steal."
      isUnsaved={isUnsaved}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <Fingerprint className="size-4" aria-hidden />
          Add a passkey
        </Button>
      }
    >
      <PasskeyForm onAdded={() => setOpen(false)} onDirty={setUnsaved} />
    </Dialog>
  );
}
