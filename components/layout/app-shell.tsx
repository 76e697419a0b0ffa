import type { ReactNode } from 'react';
import Link from 'next/link';
import { Logo, LogoMark } from '#components/layout/logo';
import { NavLink } from '#components/layout/nav-link';
import { SkipLink } from '#components/layout/skip-link';
import { ThemeToggle } from '#components/layout/theme-toggle';
import { cn } from '#components/ui/cn';

export type NavItem = {
  href: string;
  label: string;
  /** A lucide icon element; the shell sizes it. */
  icon: ReactNode;
  /** Stands in the bottom bar of phones too; at most five do. */
  phone?: boolean;
};

export type AppShellProps = {
  items: readonly NavItem[];
  children: ReactNode;
  /** The gem balance, live: a component of the page's choosing. */
  balance?: ReactNode;
  /** Stands above the ways between pages on wide screens, such as a search. */
  find?: ReactNode;
  /** The account menu, e.g. a DropdownMenu on an Avatar. */
  account?: ReactNode;
  /** Stands over the page at its lower edge: the dock of live requests. */
  dock?: ReactNode;
  home?: string;
};

/** The frame of every signed-in page: a rail on wide screens, narrower on tablets, a bar at the thumb on phones. */
export function AppShell({ items, children, balance, find, account, dock, home = '/' }: AppShellProps) {
  return (
    <div className="md:grid md:grid-cols-[4.5rem_minmax(0,1fr)] lg:grid-cols-[14rem_minmax(0,1fr)]">
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col gap-8 border-r px-3 py-5 md:flex">
        <Link href={home} aria-label="Pomona, start" className="inline-flex px-2 max-lg:justify-center">
          <Logo className="hidden lg:inline-flex" />
          <LogoMark className="lg:hidden" />
        </Link>
        {find}
        <Nav
          items={items}
          label="Main"
          className="grid gap-1"
          row="min-h-10 gap-3 rounded-md px-3 text-sm hover:bg-ink/6 max-lg:justify-center aria-[current]:bg-ink/8"
          text="max-lg:sr-only"
        />
        <div className="mt-auto grid gap-3 max-lg:justify-items-center lg:px-2">
          {balance && <div className="text-sm max-lg:-mx-3 max-lg:text-center max-lg:text-xs">{balance}</div>}
          <div className="flex items-center justify-between gap-2 max-lg:flex-col-reverse">
            {account}
            <ThemeToggle />
          </div>
        </div>
      </aside>

      <div className="flex min-h-dvh min-w-0 flex-col">
        <header className="flex min-h-14 items-center justify-between gap-3 border-b px-4 md:hidden">
          <Link href={home} aria-label="Pomona, start">
            <Logo />
          </Link>
          <div className="flex items-center gap-2 text-sm">
            {balance}
            <ThemeToggle />
            {account}
          </div>
        </header>
        <main id="content" tabIndex={-1} className="gutter grow py-6 outline-none max-md:pb-24 md:py-10">
          {children}
        </main>
      </div>

      {dock && <div className="fixed right-4 bottom-20 z-30 md:bottom-4">{dock}</div>}
      <Nav
        items={items.filter(item => item.phone).slice(0, 5)}
        label="Main, short"
        className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-paper pb-[env(safe-area-inset-bottom)] md:hidden"
        row="min-h-14 flex-1 flex-col justify-center gap-0.5 text-xs"
      />
    </div>
  );
}

function Nav({
  items,
  label,
  className,
  row,
  text,
}: {
  items: readonly NavItem[];
  label: string;
  className: string;
  row: string;
  text?: string;
}) {
  return (
    <nav aria-label={label} className={className}>
      {items.map(({ href, label: name, icon }) => (
        <NavLink
          key={href}
          href={href}
          className={cn(
            'flex items-center text-soft transition-colors hover:text-ink aria-[current]:font-medium aria-[current]:text-ink [&_svg]:size-5 aria-[current]:[&_svg]:text-accent-ink',
            row,
          )}
        >
          {icon}
          <span className={text}>{name}</span>
        </NavLink>
      ))}
    </nav>
  );
}
