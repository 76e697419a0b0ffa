'use client';

import { use, useState, type ReactNode } from 'react';
import { CloseDialog } from '#components/ui/close-dialog';
import type { OpenDialog } from '#components/ui/dialog-open';
import { onDemand, Opening } from '#components/ui/on-demand';
import { Slot } from '#components/ui/slot';

export type DialogProps = Omit<OpenDialog, 'onClose'> & {
  /** Element that opens the dialog. Without it, the caller controls `open`. */
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

// most visits open no dialog, so its code is loaded when the user is about to open one
const Open = onDemand(async () => (await import('#components/ui/dialog-open')).DialogOpen);

/** Modal dialog: traps the focus, closes on Escape or a press outside, returns the focus. See also `DialogClose`. */
export function Dialog({ trigger, open, onOpenChange, ...rest }: DialogProps) {
  const [isOwnOpen, setOwnOpen] = useState(false);
  const isOpen = open ?? isOwnOpen;
  const change = (next: boolean) => {
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  const close = () => change(false);
  return (
    <>
      {trigger && (
        <Slot
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onPointerEnter={Open.near}
          onFocus={Open.near}
          onClick={() => change(true)}
        >
          {trigger}
        </Slot>
      )}
      {isOpen && (
        <Opening onClose={close}>
          <Open {...rest} onClose={close} />
        </Opening>
      )}
    </>
  );
}

/** Closes the surrounding dialog when its only child is pressed. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Slot onClick={use(CloseDialog)}>{children}</Slot>;
}
