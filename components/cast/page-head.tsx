import type { ReactNode } from 'react';
import { SectionNav } from '#components/layout/section-nav';

const PAGES = [
  { href: '/characters', label: 'Characters' },
  { href: '/references', label: 'References' },
  { href: '/uploads', label: 'Uploads' },
];

/** Title of a page of the cast, what it is for, and what one does on it first. Phones have the ways between them here. */
export function PageHead({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <header className="grid grid-cols-1 gap-6 pb-8">
      <div className="-mt-4 md:hidden">
        <SectionNav label="Cast and files" items={PAGES} />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="grid gap-2">
          <h1 className="font-title text-head">{title}</h1>
          <p className="max-w-prose text-soft">{children}</p>
        </div>
        {action}
      </div>
    </header>
  );
}
