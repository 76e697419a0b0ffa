'use client';

import { lazy, useState } from 'react';
import { Fingerprint } from 'lucide-react';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';

const PasskeyForm = lazy(() =>
  import('#components/security/passkey-form').then(module => ({ default: module.PasskeyForm })),
);

export function AddPasskey() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      title="Add a passkey"
      description="This device unlocks your account with a finger, a face or a PIN. No password, and nothing that a false page could ask for."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <Fingerprint className="size-4" aria-hidden />
          Add a passkey
        </Button>
      }
    >
      <PasskeyForm onAdded={() => setOpen(false)} />
    </Dialog>
  );
}
