'use client';

import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { Slot } from 'radix-ui';
import { onDemand, Opening } from '#components/ui/on-demand';

export type MenuItem =
  | {
      kind?: 'item';
      label: ReactNode;
      icon?: ReactNode;
      onSelect: () => void;
      danger?: boolean;
      disabled?: boolean;
      shortcut?: string;
    }
  | {
      kind: 'link';
      label: ReactNode;
      icon?: ReactNode;
      href: string;
      /** The name under which the file at `href` is saved. */
      file?: string;
    }
  | { kind: 'check'; label: ReactNode; checked: boolean; onCheckedChange: (checked: boolean) => void }
  | { kind: 'heading'; label: ReactNode }
  | { kind: 'line' };

export interface DropdownMenuProps {
  trigger: ReactNode;
  items: readonly MenuItem[];
  align?: 'start' | 'center' | 'end';
}

// most pages are left without a menu having been opened: what draws it comes when somebody is about to
const Open = onDemand(async () => (await import('#components/ui/dropdown-menu-open')).DropdownMenuOpen);

/** A menu from data: `trigger` opens it, `items` are its rows. */
export function DropdownMenu(props: DropdownMenuProps) {
  // the landmark or dialog that it opens in
  const [within, setWithin] = useState<HTMLElement | null>(null);
  const want = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    setWithin(currentTarget.closest<HTMLElement>('[role=dialog], main, aside, header') ?? document.body);
  const closed = (
    <Slot.Root
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
    </Slot.Root>
  );
  if (!within) return closed;
  return (
    <Opening onClose={() => setWithin(null)} fallback={closed}>
      <Open {...props} within={within} />
    </Opening>
  );
}
