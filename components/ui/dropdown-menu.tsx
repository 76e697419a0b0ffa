'use client';

import { useState, type KeyboardEvent } from 'react';
import type { DropdownMenuProps } from '#components/ui/dropdown-menu-open';
import { onDemand, Opening } from '#components/ui/on-demand';
import { Slot } from '#components/ui/slot';

// most pages are left without a menu having been opened: what draws it comes when somebody is about to
const Open = onDemand(async () => (await import('#components/ui/dropdown-menu-open')).DropdownMenuOpen);

/** A menu from data: `trigger` opens it, `items` are its rows. */
export function DropdownMenu(props: DropdownMenuProps) {
  // the landmark or dialog that it opens in
  const [within, setWithin] = useState<HTMLElement | null>(null);
  const want = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    setWithin(currentTarget.closest<HTMLElement>('[role=dialog], main, aside, header') ?? document.body);
  const closed = (
    <Slot
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={Open.near}
      onFocus={Open.near}
      onClick={want}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        want(event);
      }}
    >
      {props.trigger}
    </Slot>
  );
  if (!within) return closed;
  return (
    <Opening onClose={() => setWithin(null)} fallback={closed}>
      <Open {...props} within={within} />
    </Opening>
  );
}
