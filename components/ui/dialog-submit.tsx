import type { ReactNode } from 'react';
import { Button } from '#components/ui/button';
import { DialogClose } from '#components/ui/dialog';

/** The buttons of a form in a dialog, always visible at its foot: cancel or submit. */
export function DialogSubmit({
  busy,
  leave = 'Cancel',
  children,
}: {
  busy: boolean;
  leave?: string;
  /** Label of the submit button. */
  children: ReactNode;
}) {
  return (
    <div className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap justify-end gap-3 border-t bg-raised px-6 py-4 max-[18rem]:-mx-4 max-[18rem]:px-4 short:static">
      <DialogClose>
        <Button tone="ghost">{leave}</Button>
      </DialogClose>
      <Button type="submit" tone="primary" busy={busy}>
        {children}
      </Button>
    </div>
  );
}
