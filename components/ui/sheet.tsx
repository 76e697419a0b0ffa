'use client';

import { Dialog, type DialogProps } from '#components/ui/dialog';

/** A dialog that comes from the side, or with `from="bottom"` from below, as phones have it. */
export function Sheet({ from = 'right', ...rest }: Omit<DialogProps, 'shape'> & { from?: 'right' | 'bottom' }) {
  return <Dialog shape={from === 'right' ? 'sheet' : 'bottom'} {...rest} />;
}
