'use client';

import type { DragEvent, ReactNode } from 'react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { offerCarried, type Carried } from '#components/carry/carried';
import { draggedKinds, droppedMedia } from '#components/carry/drag';
import { ask } from '#components/library/ask';

const TAKES = {
  use: ([carried, ...more]: readonly Carried[]) => carried && offerCarried({ carried, more, intent: 'use' }),
  collect(all: readonly Carried[]) {
    const requests = all.flatMap(({ requestId }) => (requestId ? { request_id: requestId } : []));
    if (requests.length > 0) ask({ kind: 'collect', requests });
  },
};

type NavLinkProps = {
  href: string;
  children: ReactNode;
  /** Further pages on which the link counts as current. */
  ways?: readonly string[] | undefined;
  className?: string;
  /** Action for media dropped on the link. */
  takes?: keyof typeof TAKES | undefined;
};

/** A link that marks the current page with `aria-current`, styled with `aria-[current]:`. */
export function NavLink({ href, ways, takes, ...rest }: NavLinkProps) {
  const path = usePathname();
  const isAt = (place: string) => path === place || path.startsWith(`${place}/`);
  const current = isAt(href) ? 'page' : ways?.some(isAt) ? true : undefined;
  const drop = takes && {
    onDragOver: (event: DragEvent) => draggedKinds(event).length > 0 && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      const carried = droppedMedia(event);
      if (carried.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      TAKES[takes](carried);
    },
  };
  // all pages are rendered per request, so there is nothing to prefetch
  return <Link href={href} prefetch={false} aria-current={current} {...drop} {...rest} />;
}
