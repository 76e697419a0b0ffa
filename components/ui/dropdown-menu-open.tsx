'use client';

import { useRef, useState, type ReactNode } from 'react';
import Link from 'next/link';
import { DropdownMenu as Radix } from 'radix-ui';
import { Check } from 'lucide-react';
import { cn } from '#components/ui/cn';
import { GemAmount } from '#components/ui/gem-amount';
import { useCloseRequests } from '#components/ui/use-close-requests';

export type MenuItem =
  | {
      kind?: 'item';
      label: ReactNode;
      icon?: ReactNode;
      onSelect: () => void;
      danger?: boolean;
      disabled?: boolean;
      /** Price in gems. */
      gems?: number | undefined;
    }
  | {
      kind: 'link';
      label: ReactNode;
      icon?: ReactNode;
      href: string;
      /** Name under which the file at `href` is saved; undefined for a page. */
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

const ROW =
  'flex min-h-9 pointer-coarse:min-h-11 items-center gap-2.5 rounded-sm px-2.5 text-sm select-none not-forced-colors:outline-none data-highlighted:bg-ink/7 data-disabled:text-faint data-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0';

/**
 * Focuses the first row if the menu was opened by keyboard. The menu mounts only after the press that opened it, so the
 * kind of press is read from `:focus-visible`.
 */
function beginAtFirst(menu: HTMLElement | null) {
  menu?.focus({ preventScroll: true });
  if (!menu?.matches(':focus-visible')) return;
  menu.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus({ preventScroll: true });
}

/** The menu itself, open as soon as it is mounted. */
export function DropdownMenuOpen({
  trigger,
  items,
  align = 'end',
  within,
}: DropdownMenuProps & { within: HTMLElement }) {
  const [isOpen, setOpen] = useState(true);
  useCloseRequests(() => setOpen(false), isOpen);
  const chosen = useRef<() => void>(null);
  // acts after the menu has returned the focus, so that a dialog opened by the act can return it there
  const actOnClose = () => {
    if (chosen.current) queueMicrotask(chosen.current);
    chosen.current = null;
  };
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={within}>
        <Radix.Content
          ref={beginAtFirst}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={actOnClose}
          // above the toasts
          className="animate-rise z-70 max-h-(--radix-dropdown-menu-content-available-height) max-w-[min(20rem,calc(100vw-1.5rem))] min-w-52 scroll-shade overflow-y-auto rounded-md border p-1.5 shadow-float"
        >
          {items.map((item, index) => (
            <Row key={index} item={item} onChoose={act => (chosen.current = act)} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Row({ item, onChoose }: { item: MenuItem; onChoose: (act: () => void) => void }) {
  switch (item.kind) {
    case 'line':
      return <Radix.Separator className="my-1.5 h-px bg-line" />;
    case 'heading':
      return <Radix.Label className="truncate px-2.5 py-1.5 text-xs text-faint">{item.label}</Radix.Label>;
    case 'check':
      return (
        <Radix.CheckboxItem
          checked={item.checked}
          onCheckedChange={item.onCheckedChange}
          className={cn(ROW, 'justify-between')}
        >
          {item.label}
          <Radix.ItemIndicator>
            <Check aria-hidden />
          </Radix.ItemIndicator>
        </Radix.CheckboxItem>
      );
    case 'link': {
      const Anchor = item.file === undefined ? Link : 'a';
      return (
        <Radix.Item asChild>
          <Anchor href={item.href} download={item.file} className={ROW}>
            {item.icon}
            {item.label}
          </Anchor>
        </Radix.Item>
      );
    }
    default:
      return (
        <Radix.Item
          disabled={item.disabled}
          onSelect={() => onChoose(item.onSelect)}
          className={cn(ROW, item.danger && 'text-danger')}
        >
          {item.icon}
          <span className="grow">{item.label}</span>
          {!!item.gems && <GemAmount gems={item.gems} className="text-xs text-faint" />}
        </Radix.Item>
      );
  }
}
