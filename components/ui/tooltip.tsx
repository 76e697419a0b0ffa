'use client';

import type { ReactNode } from 'react';
import { Tooltip as Radix } from 'radix-ui';

/** A word or two about a control, on hover and focus. Never the only place where something is said. */
export function Tooltip({
  text,
  children,
  side = 'top',
}: {
  text: ReactNode;
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
}) {
  return (
    <Radix.Provider delayDuration={350}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={12}
            className="animate-fade-in z-50 max-w-64 rounded-sm bg-ink px-2.5 py-1.5 text-xs text-paper shadow-float"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
