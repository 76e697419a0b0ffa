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
      description="This device unlocks your account with a finger, a face or a PIN. No password, and nothing that a false page could ask for."
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
