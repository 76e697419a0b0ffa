'use client';

import type { ReactNode } from 'react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';

export type NavLinkProps = {
  href: string;
  children: ReactNode;
  /** Only this very address is current, not those below it. */
  exact?: boolean;
  /** False: it is fetched when it is asked for, not when it comes into view. */
  prefetch?: boolean;
  className?: string;
};

/** A link that knows when it is where the reader is (`aria-current="page"`, styled with `aria-[current]:`). */
export function NavLink({ href, exact, ...rest }: NavLinkProps) {
  const path = usePathname();
  const current = path === href || (!exact && path.startsWith(`${href}/`));
  return <Link href={href} aria-current={current ? 'page' : undefined} {...rest} />;
}
