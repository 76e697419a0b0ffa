'use client';

import type { ComponentProps } from 'react';
import { cn } from '#components/ui/cn';
import { sendForm } from '#components/ui/send-form';

/** Grows with its text in browsers with `field-sizing`, starting at `rows` lines. */
export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={cn('control field-sizing-content min-h-20 resize-y wrap-anywhere', className)}
      onKeyDown={sendForm}
      {...rest}
    />
  );
}
