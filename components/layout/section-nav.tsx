'use client';

import { useEffect, useRef } from 'react';
import { usePathname } from 'next/navigation';
import { NavLink } from '#components/layout/nav-link';

/** The pages of a part of the app, as a row of tabs that are links. On a phone the current one comes into view. */
export function SectionNav({ label, items }: { label: string; items: readonly { href: string; label: string }[] }) {
  const row = useRef<HTMLElement>(null);
  const path = usePathname();
  const here = items.find(({ href }) => path.startsWith(href))?.href;
  useEffect(() => {
    const tab = here && row.current?.querySelector<HTMLElement>(`[href="${here}"]`);
    // the row alone: in a low window `scrollIntoView` would move the page, too
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
