'use client';

import { use, useState, type ReactNode } from 'react';
import { CloseDialog } from '#components/ui/close-dialog';
import type { OpenDialog } from '#components/ui/dialog-open';
import { onDemand, Opening } from '#components/ui/on-demand';
import { Slot } from '#components/ui/slot';

export type DialogProps = Omit<OpenDialog, 'onClose'> & {
  /** The element that opens it. Leave out and drive `open` yourself. */
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

// most pages are left without a dialog having been opened: what draws them comes when somebody is about to
const Open = onDemand(async () => (await import('#components/ui/dialog-open')).DialogOpen);

/** Modal: keeps the focus, closes on Escape and outside press, gives the focus back. `DialogClose` closes from inside. */
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

/** Closes the dialog it is in when its only child is pressed. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Slot onClick={use(CloseDialog)}>{children}</Slot>;
}
