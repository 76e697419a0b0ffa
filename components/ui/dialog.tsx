'use client';

import { createContext, lazy, Suspense, use, useEffect, useState, type ReactNode } from 'react';
import { Slot } from 'radix-ui';

export type DialogProps = {
  title: string;
  /** Says what the dialog is for; kept short. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  /** The element that opens it. Leave out and drive `open` yourself. */
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  shape?: 'dialog' | 'wide' | 'sheet' | 'bottom';
  /** What takes the focus when it closes; null is what opened it. */
  focusOnClose?: () => HTMLElement | null;
};

const load = () => import('#components/ui/dialog-open');
// most pages are left without a dialog having been opened: what draws them comes when somebody is about to
const Open = lazy(() => load().then(module => ({ default: module.DialogOpen })));

const Close = createContext(() => {});

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
        <Slot.Root
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onPointerEnter={() => void load()}
          onFocus={() => void load()}
          onClick={() => change(true)}
        >
          {trigger}
        </Slot.Root>
      )}
      {isOpen && (
        <Close value={close}>
          <Suspense fallback={<Coming onClose={close} />}>
            <Open {...rest} onClose={close} />
          </Suspense>
        </Close>
      )}
    </>
  );
}

/** Stands for a dialog while what draws it is on its way: Escape closes it already. */
export function Coming({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent) => key === 'Escape' && onClose();
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [onClose]);
  return null;
}

/** Closes the dialog it is in when its only child is pressed. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Slot.Root onClick={use(Close)}>{children}</Slot.Root>;
}
