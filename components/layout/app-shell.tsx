import type { ReactNode } from 'react';
import Link from 'next/link';
import { LogoMark } from '#components/layout/logo';
import { NavLink } from '#components/layout/nav-link';
import { SkipLink } from '#components/layout/skip-link';
import { ThemeToggle } from '#components/layout/theme-toggle';
import { cn } from '#components/ui/cn';

export type NavItem = {
  href: string;
  label: string;
  /** A lucide icon element; the shell sizes it. */
  icon: ReactNode;
  /** Whether the item is also in the bottom bar of phones, which holds at most five. */
  phone?: boolean;
  /** Pages reached through this item where they have no item of their own. */
  ways?: readonly string[];
  /** Action for media dropped on the item. */
  takes?: 'use' | 'collect';
};

type AppShellProps = {
  items: readonly NavItem[];
  children: ReactNode;
  /** The live gem balance. */
  balance: ReactNode;
  /** Element above the navigation on wide screens, such as a search button. */
  find: ReactNode;
  /** The account menu, e.g. a DropdownMenu on an Avatar. */
  account: ReactNode;
  /** Indicators for notices and requests in progress, shown in the rail, or in the header on phones. */
  dock: ReactNode;
  /** Notices above the page, shown while they apply. */
  told: ReactNode;
};

/** Frame of all signed-in pages: a narrow navigation rail, or a bar at the bottom on phones, around the page. */
export function AppShell({ items, children, balance, find, account, dock, told }: AppShellProps) {
  return (
    <div className="flex flex-col md:grid md:grid-cols-[5rem_minmax(0,1fr)] print:block">
      <SkipLink />
      <aside className="sticky top-0 z-30 hidden h-dvh flex-col items-center gap-3 overflow-y-auto border-r px-1.5 py-4 md:flex print:hidden">
        <Link href="/" prefetch={false} aria-label="Pomona, start" className="-mx-2 -mt-2 p-2">
          <LogoMark />
        </Link>
        {find}
        <Nav
          items={items}
          label="Main"
          className="grid w-full gap-0.5"
          row="min-h-13 flex-col justify-center gap-1 rounded-md text-xs leading-4 hover:bg-ink/6 aria-[current]:bg-ink/8"
        />
        <div className="mt-auto grid justify-items-center gap-2 pt-3">
          {dock}
          <div className="rail-balance text-xs">{balance}</div>
          <ThemeToggle />
          {account}
        </div>
      </aside>

      <div className="flex min-h-dvh min-w-0 flex-col">
        <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-2 border-b px-4 py-1.5 md:hidden print:hidden">
          <Link href="/" prefetch={false} aria-label="Pomona, start" className="-m-2 p-2">
            <LogoMark className="size-7" />
          </Link>
          <div className="flex flex-wrap items-center gap-x-2 text-sm">
            {dock}
            {balance}
            <ThemeToggle />
            {account}
          </div>
        </header>
        {told}
        <main id="content" tabIndex={-1} className="gutter grow py-6 outline-none max-md:pb-24 md:py-10">
          {children}
        </main>
      </div>

      <div className="foot-bar @container fixed inset-x-0 bottom-0 z-30 border-t bg-paper pb-[env(safe-area-inset-bottom)] md:hidden short:static short:order-first short:border-t-0 short:border-b short:pb-0 print:hidden">
        <Nav
          items={items.filter(item => item.phone)}
          label="Main, short"
          // text too large for one row wraps into rows of two within the same height
          className="flex min-h-14 @max-[18rem]:flex-wrap"
          row="flex-1 flex-col justify-center gap-0.5 text-xs @max-[18rem]:basis-2/5 @max-[18rem]:flex-row @max-[18rem]:gap-1 @max-[18rem]:[&_svg]:size-4"
        />
      </div>
    </div>
  );
}

function Nav({
  items,
  label,
  className,
  row,
}: {
  items: readonly NavItem[];
  label: string;
  className: string;
  row: string;
}) {
  return (
    <nav aria-label={label} className={className}>
      {items.map(({ href, label: name, icon, ways, takes }) => (
        <NavLink
          key={href}
          href={href}
          ways={ways?.filter(way => !items.some(item => item.href === way))}
          takes={takes}
          className={cn(
            'flex items-center text-soft transition-colors hover:text-ink aria-[current]:font-medium aria-[current]:text-ink [&_svg]:size-5 aria-[current]:[&_svg]:text-accent-ink',
            row,
          )}
        >
          {icon}
          <span>{name}</span>
        </NavLink>
      ))}
    </nav>
  );
}
