'use client';

import { useRef, useState, type ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useIsHere } from '#components/ui/use-is-here';

/** Asks before `act` is done; a refusal stays in the dialog, and is told where that was closed meanwhile. */
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
  /** What there is to know before, or to choose. */
  children?: ReactNode;
  /** What the button that does it says. */
  confirm: string;
  /** What the one that does nothing says. */
  leave?: string;
  tone?: 'danger' | 'primary';
  act: () => Promise<unknown>;
  /** What opens it. Left out, it is open for as long as it is there. */
  trigger?: ReactNode;
  /** What takes the focus once it is done. */
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
        // what is under way is, whoever closes the dialog
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
          {/* some name what they delete, however long that is called */}
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

/** What an act means, one by one. */
export const Points = ({ children }: { children: ReactNode }) => (
  <ul className="grid list-disc gap-2 pl-5 text-sm text-soft marker:text-accent">{children}</ul>
);
