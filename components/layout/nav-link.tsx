'use client';

import type { DragEvent, ReactNode } from 'react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { Carried } from '#components/carry/carried';
import { draggedKind, droppedMedia } from '#components/carry/drag';

export type NavLinkProps = {
  href: string;
  children: ReactNode;
  /** Only this very address is current, not those below it. */
  exact?: boolean;
  /** False: it is fetched when it is asked for, not when it comes into view. */
  prefetch?: boolean;
  className?: string;
  /** Takes media that are dropped on it. */
  onMedia?: ((carried: Carried) => unknown) | undefined;
};

/** A link that knows when it is where the reader is (`aria-current="page"`, styled with `aria-[current]:`). */
export function NavLink({ href, exact, onMedia, ...rest }: NavLinkProps) {
  const path = usePathname();
  const current = path === href || (!exact && path.startsWith(`${href}/`));
  const drop = onMedia && {
    onDragOver: (event: DragEvent) => draggedKind(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      const carried = droppedMedia(event);
      if (!carried) return;
      event.preventDefault();
      event.stopPropagation();
      onMedia(carried);
    },
  };
  return <Link href={href} aria-current={current ? 'page' : undefined} {...drop} {...rest} />;
}
