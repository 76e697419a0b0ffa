'use client';

import { useRef, useState } from 'react';
import { Plus } from 'lucide-react';
import type { CreatedKey } from '#components/account/create-key-form';
import { shownOnce } from '#components/account/shown-once';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';

const CreateKeyForm = onDemand(async () => (await import('#components/account/create-key-form')).CreateKeyForm);

export function CreateKeyDialog({ onCreated }: { onCreated: (key: CreatedKey) => void }) {
  const [open, setOpen] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  const made = useRef(false);
  return (
    <Dialog
      title="Create a key"
      description="Any program that has it can spend the gems of this account."
      isUnsaved={isUnsaved}
      open={open}
      onOpenChange={next => {
        if (next) made.current = false;
        setOpen(next);
      }}
      // the key is shown only once, so the focus moves to it for screen reader users
      focusOnClose={() => (made.current ? shownOnce() : null)}
      trigger={
        <Button tone="primary">
          <Plus className="size-4" aria-hidden />
          Create key
        </Button>
      }
    >
      <CreateKeyForm
        onCreated={key => {
          made.current = true;
          setOpen(false);
          onCreated(key);
        }}
        onDirty={setUnsaved}
      />
    </Dialog>
  );
}
