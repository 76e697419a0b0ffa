import type { ReactNode } from 'react';
import { SectionNav } from '#components/layout/section-nav';

const PAGES = [
  { href: '/history', label: 'History' },
  { href: '/collections', label: 'Collections' },
];

/** The way between history and collections, which phones have here. */
export const LibraryNav = () => (
  <div className="-mt-4 md:hidden">
    <SectionNav label="Library" items={PAGES} />
  </div>
);

/** Title of a page of collections, what it is for, and what one does on it first. */
export function CollectionsHead({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="grid gap-6 pb-8">
      <LibraryNav />
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="grid min-w-0 gap-2">
          <h1 className="font-title text-head break-words">{title}</h1>
          {children && <p className="max-w-prose whitespace-pre-line text-soft">{children}</p>}
        </div>
        {action}
      </div>
    </header>
  );
}
