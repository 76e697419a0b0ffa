'use client';

import { Dialog, type DialogProps } from '#components/ui/dialog';

/** A dialog that slides in from the right, or with `from="bottom"` from below, as on phones. */
export function Sheet({ from = 'right', ...rest }: Omit<DialogProps, 'shape'> & { from?: 'right' | 'bottom' }) {
  return <Dialog shape={from === 'right' ? 'sheet' : 'bottom'} {...rest} />;
}
