'use client';

import { useState, type ReactNode } from 'react';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { toast } from '#components/ui/toast';

/** Asks before something that cannot be taken back, and says what it means. */
export function ConfirmDialog({
  title,
  action,
  children,
  onConfirm,
  onClose,
}: {
  title: string;
  /** What the button says. */
  action: string;
  children: ReactNode;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setBusy(false);
      toast({ tone: 'bad', title: 'That did not work.', description: (error as Error).message });
    }
  };
  return (
    <Dialog
      open
      title={title}
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Keep</Button>
          </DialogClose>
          <Button tone="danger" busy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm text-soft marker:text-accent">{children}</ul>
    </Dialog>
  );
}
