'use client';

import { useEffect, useRef } from 'react';
import { usePathname } from 'next/navigation';
import { NavLink } from '#components/layout/nav-link';

/** Links to the pages of a section, as a row of tabs. The current one is scrolled into view. */
export function SectionNav({ label, items }: { label: string; items: readonly { href: string; label: string }[] }) {
  const row = useRef<HTMLElement>(null);
  const path = usePathname();
  const here = items.find(({ href }) => path.startsWith(href))?.href;
  useEffect(() => {
    const tab = here && row.current?.querySelector<HTMLElement>(`[href="${here}"]`);
    // not `scrollIntoView`, which would also scroll the page in a low window
    if (tab) row.current!.scrollLeft = tab.offsetLeft + (tab.offsetWidth - row.current!.clientWidth) / 2;
  }, [here]);
  return (
    <nav ref={row} aria-label={label} className="tab-row">
      {items.map(item => (
        <NavLink key={item.href} href={item.href} className="tab-label">
          {item.label}
        </NavLink>
      ))}
    </nav>
  );
}
