import type { ReactNode } from 'react';
import Link from 'next/link';
import { Logo } from '#components/layout/logo';
import { SkipLink } from '#components/layout/skip-link';
import { ThemeToggle } from '#components/layout/theme-toggle';

/** Header of pages without the shell. `children` are links at its end, such as sign-in. */
export function SiteHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="gutter mx-auto flex w-full max-w-[88rem] items-center justify-between gap-4 max-[18rem]:flex-wrap py-4 md:py-6">
      <SkipLink />
      <Link href="/" prefetch={false} aria-label="Pomona, start" className="-my-2 py-2">
        <Logo />
      </Link>
      <nav aria-label="Site" className="flex items-center gap-1 text-sm sm:gap-3 print:hidden">
        {children}
        <ThemeToggle />
      </nav>
    </header>
  );
}
