'use client';

import type { DragEvent, ReactNode } from 'react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { offerCarried, type Carried } from '#components/carry/carried';
import { draggedKind, droppedMedia } from '#components/carry/drag';
import { ask } from '#components/library/ask';

const TAKES = {
  use: (carried: Carried) => offerCarried({ carried, intent: 'use' }),
  collect: ({ requestId }: Carried) => requestId && ask({ kind: 'collect', requests: [{ request_id: requestId }] }),
};

export type NavLinkProps = {
  href: string;
  children: ReactNode;
  /** Only this very address is current, not those below it. */
  exact?: boolean;
  /** False: it is fetched when it is asked for, not when it comes into view. */
  prefetch?: boolean;
  className?: string;
  /** What becomes of media that are dropped on it. */
  takes?: keyof typeof TAKES | undefined;
};

/** A link that knows when it is where the reader is (`aria-current="page"`, styled with `aria-[current]:`). */
export function NavLink({ href, exact, takes, ...rest }: NavLinkProps) {
  const path = usePathname();
  const current = path === href || (!exact && path.startsWith(`${href}/`));
  const drop = takes && {
    onDragOver: (event: DragEvent) => draggedKind(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      const carried = droppedMedia(event);
      if (!carried) return;
      event.preventDefault();
      event.stopPropagation();
      TAKES[takes](carried);
    },
  };
  return <Link href={href} aria-current={current ? 'page' : undefined} {...drop} {...rest} />;
}
