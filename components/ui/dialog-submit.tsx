import type { ReactNode } from 'react';
import { Button } from '#components/ui/button';
import { DialogClose } from '#components/ui/dialog';

/** Ends a form in a dialog: leave it be, or send it. */
export function DialogSubmit({
  busy,
  leave = 'Cancel',
  children,
}: {
  busy: boolean;
  leave?: string;
  /** What sending does. */
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <DialogClose>
        <Button tone="ghost">{leave}</Button>
      </DialogClose>
      <Button type="submit" tone="primary" busy={busy}>
        {children}
      </Button>
    </div>
  );
}
