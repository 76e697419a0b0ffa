'use client';

import '#components/ui/style-nonce';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { usePathname } from 'next/navigation';
import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import { Button } from '#components/ui/button';
import { CloseDialog } from '#components/ui/close-dialog';
import { cn } from '#components/ui/cn';
import { closeLast, useCloseRequests } from '#components/ui/use-close-requests';
import { useFocusBack } from '#components/ui/use-focus-back';
import { IconButton } from '#components/ui/icon-button';
import { InPlace } from '#components/ui/on-demand';
import { Spinner } from '#components/ui/spinner';

const SHAPES = {
  dialog:
    'animate-rise inset-x-4 top-1/2 m-auto max-h-[calc(100dvh-2rem)] w-auto max-w-lg -translate-y-1/2 rounded-lg max-sm:top-auto max-sm:bottom-4 max-sm:translate-y-0',
  wide: 'animate-rise inset-x-4 top-1/2 m-auto max-h-[calc(100dvh-2rem)] w-auto max-w-4xl -translate-y-1/2 rounded-lg',
  sheet: 'animate-sheet-right inset-y-0 right-0 w-[min(26rem,100vw)] border-l border-line',
  bottom: 'animate-sheet-bottom inset-x-0 bottom-0 max-h-[85dvh] rounded-t-lg',
};

export interface OpenDialog {
  title: string;
  /** A short sentence on the purpose of the dialog. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, with the main one last. */
  footer?: ReactNode;
  shape?: keyof typeof SHAPES;
  /** Whether only its content can close it, because it shows something that is not shown again. */
  stays?: boolean;
  /** Whether it belongs to a page and unmounts with it, so that a change of the URL need not close it. */
  isOfPage?: boolean;
  /** Whether closing would lose changes: a press outside does nothing, and closing asks first. */
  isUnsaved?: boolean;
  /** Returns the element that takes the focus on close; null means the one that opened it. */
  focusOnClose?: () => HTMLElement | null;
  onClose: () => void;
}

/** The dialog itself, open while it is mounted. */
export function DialogOpen({
  title,
  description,
  children,
  footer,
  shape = 'dialog',
  stays,
  isOfPage,
  isUnsaved,
  focusOnClose,
  onClose,
}: OpenDialog) {
  const onCloseAutoFocus = useFocusBack(focusOnClose);
  // a dialog of the app shell would otherwise stay open over the page that the user goes back to
  const path = usePathname();
  const [opened] = useState(path);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (path !== opened && !isOfPage) close();
  }, [path, opened, isOfPage]);
  const [isLeaving, setLeaving] = useState(false);
  const goOn = () => setLeaving(false);
  const leave = () => (isUnsaved ? setLeaving(true) : onClose());
  // while the confirmation is open, close requests go to it
  useCloseRequests(() => !stays && leave(), !isLeaving);
  return (
    <CloseDialog value={leave}>
      <Radix.Root open onOpenChange={closeLast}>
        <Radix.Portal>
          <Radix.Overlay data-veil className="animate-fade-in fixed inset-0 z-50 bg-veil" />
          <Radix.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={beginAtSafe}
            onInteractOutside={event => isUnsaved && event.preventDefault()}
            onCloseAutoFocus={onCloseAutoFocus}
            className={cn(
              'fixed z-50 flex flex-col overflow-hidden bg-raised shadow-float outline-hidden short:overflow-y-auto',
              SHAPES[shape],
            )}
          >
            <header className="flex items-start justify-between gap-4 px-6 pt-5 pb-4 max-[18rem]:gap-2 max-[18rem]:px-4">
              <div className="grid grid-cols-1 gap-1 pt-1 wrap-anywhere">
                <Radix.Title className="font-title text-title">{title}</Radix.Title>
                {description && <Radix.Description className="text-sm text-soft">{description}</Radix.Description>}
              </div>
              {!stays && (
                <Radix.Close asChild>
                  <IconButton label="Close" icon={<X className="size-4" aria-hidden />} className="-mr-2" />
                </Radix.Close>
              )}
            </header>
            <div className="grow scroll-pb-24 overflow-y-auto overscroll-contain px-6 pt-1 pb-6 max-[18rem]:px-4 short:overflow-visible">
              <InPlace fallback={<Spinner className="my-10 flex justify-center" />}>
                {children}
                <BeginsAtField />
              </InPlace>
            </div>
            {footer && <footer className="flex flex-wrap justify-end gap-3 border-t px-6 py-4">{footer}</footer>}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {isLeaving && (
        <DialogOpen
          title="Leave without saving?"
          description="Your changes would be lost."
          footer={
            <>
              <Button tone="ghost" onClick={goOn} data-begins>
                Keep editing
              </Button>
              <Button tone="danger" onClick={onClose}>
                Leave
              </Button>
            </>
          }
          onClose={goOn}
        />
      )}
    </CloseDialog>
  );
}

/** Focuses the answer that does nothing, if any, so that a key pressed too early does no harm. */
function beginAtSafe(event: Event) {
  const safe = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-begins]');
  if (!safe) return;
  event.preventDefault();
  safe.focus();
}

/** Rendered after the content of a dialog: focuses its first field once that is mounted, for users with a keyboard. */
function BeginsAtField() {
  const here = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // on a touch device, the on-screen keyboard would cover half of the dialog
    if (matchMedia('(pointer: fine)').matches)
      here.current?.parentElement?.querySelector<HTMLElement>(':read-write, select:enabled')?.focus();
  }, []);
  return <span ref={here} hidden />;
}
