'use client';

import { useState, type ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';

/** Asks before `act` is done; a refusal stays in the dialog. */
export function ConfirmDialog({
  title,
  description,
  confirm,
  trigger,
  act,
  ...given
}: {
  title: string;
  description: ReactNode;
  /** What the button that does it says. */
  confirm: string;
  /** What opens it. Leave out and drive `open` yourself. */
  trigger?: ReactNode;
  act: () => Promise<unknown>;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const open = given.open ?? isOpen;
  const setOpen = given.onOpenChange ?? setIsOpen;
  const run = useMutation({ mutationFn: act, onSuccess: () => setOpen(false) });
  return (
    <Dialog
      title={title}
      description={description}
      open={open}
      onOpenChange={open => {
        run.reset();
        setOpen(open);
      }}
      trigger={trigger}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Leave it</Button>
          </DialogClose>
          <Button tone="danger" busy={run.isPending} onClick={() => run.mutate()}>
            {confirm}
          </Button>
        </>
      }
    >
      {run.error && <Alert tone="bad" title={run.error.message} />}
    </Dialog>
  );
}
