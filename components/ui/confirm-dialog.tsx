'use client';

import { useRef, useState, type ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useIsHere } from '#components/ui/use-is-here';

/** Asks before `act` runs. A failure is shown in the dialog, or as a toast if the dialog was closed meanwhile. */
export function ConfirmDialog({
  title,
  description,
  children,
  confirm,
  leave = 'Cancel',
  tone = 'danger',
  act,
  trigger,
  focusAfter,
  onClose,
}: {
  title: string;
  description?: ReactNode;
  /** Details or choices shown before the user confirms. */
  children?: ReactNode;
  /** Label of the button that confirms. */
  confirm: string;
  /** Label of the button that cancels. */
  leave?: string;
  tone?: 'danger' | 'primary';
  act: () => Promise<unknown>;
  /** Element that opens the dialog. Without it, the dialog is open while it is mounted. */
  trigger?: ReactNode;
  /** Returns the element that takes the focus after `act` has succeeded. */
  focusAfter?: () => HTMLElement | null;
  onClose?: () => void;
}) {
  const [isOpen, setOpen] = useState(!trigger);
  const isDone = useRef(false);
  const isHere = useIsHere(isOpen);
  const change = (open: boolean) => {
    setOpen(open);
    if (!open) onClose?.();
  };
  const run = useMutation({
    mutationFn: act,
    onSuccess: () => {
      if (!isHere.current) return;
      isDone.current = true;
      change(false);
    },
    onError: ({ message }) => {
      if (!isHere.current) toast({ title: `“${confirm}” was not confirmed.`, description: message, tone: 'bad' });
    },
  });
  return (
    <Dialog
      title={title}
      description={description}
      open={isOpen}
      onOpenChange={open => {
        isDone.current = false;
        // closing the dialog does not cancel a pending `act`
        if (!run.isPending) run.reset();
        change(open);
      }}
      focusOnClose={() => (isDone.current ? (focusAfter?.() ?? null) : null)}
      trigger={trigger}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost" disabled={run.isPending} data-begins>
              {leave}
            </Button>
          </DialogClose>
          {/* the label may contain the name of what is deleted, which can be long */}
          <Button
            tone={tone}
            busy={run.isPending}
            onClick={() => run.mutate()}
            className="max-w-full py-1.5 wrap-anywhere whitespace-normal"
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4 empty:hidden">
        <Refused refusal={run.error} />
        {children}
      </div>
    </Dialog>
  );
}

/** The consequences of an act as a list. */
export const Points = ({ children }: { children: ReactNode }) => (
  <ul className="grid list-disc gap-2 pl-5 text-sm text-soft marker:text-accent">{children}</ul>
);
