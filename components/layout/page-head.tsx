import type { ReactNode } from 'react';
import { PhoneNav, type Pages } from '#components/layout/phone-nav';

/** Header of a page: title, description and primary action; on phones also links to the neighbouring pages. */
export function PageHead({
  pages,
  title,
  children,
  action,
}: {
  pages: Pages;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="grid grid-cols-1 gap-6 pb-8">
      <PhoneNav pages={pages} />
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="grid min-w-0 gap-2 wrap-anywhere">
          <h1 className="font-title text-head">{title}</h1>
          {children && <p className="max-w-prose whitespace-pre-line text-soft">{children}</p>}
        </div>
        {action}
      </div>
    </header>
  );
}
