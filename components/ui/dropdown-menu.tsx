'use client';

import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { DropdownMenuProps } from '#components/ui/dropdown-menu-open';
import { onDemand, Opening } from '#components/ui/on-demand';
import { Slot } from '#components/ui/slot';

// most visits open no menu, so its code is loaded when the user is about to open one
const Open = onDemand(async () => (await import('#components/ui/dropdown-menu-open')).DropdownMenuOpen);

/** A menu described by data: `trigger` opens it, `items` are its rows. */
export const DropdownMenu = (props: DropdownMenuProps) => (
  <ClosedMenu trigger={props.trigger} near={Open.near}>
    {within => <Open {...props} within={within} />}
  </ClosedMenu>
);

/** A menu whose rows load with its code, when it is about to open. From then on, `children` render the trigger, too. */
export function ClosedMenu({
  trigger,
  near,
  children,
}: {
  trigger: ReactNode;
  near: () => void;
  children: (within: HTMLElement) => ReactNode;
}) {
  // the landmark or dialog that contains the menu
  const [within, setWithin] = useState<HTMLElement | null>(null);
  const want = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    setWithin(currentTarget.closest<HTMLElement>('[role=dialog], main, aside, header') ?? document.body);
  const closed = (
    <Slot
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={near}
      onFocus={near}
      onClick={want}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        want(event);
      }}
    >
      {trigger}
    </Slot>
  );
  if (!within) return closed;
  return (
    <Opening onClose={() => setWithin(null)} fallback={closed}>
      {children(within)}
    </Opening>
  );
}
