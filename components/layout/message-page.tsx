import type { ReactNode } from 'react';
import { LogoMark } from '#components/layout/logo';
import { SiteHeader } from '#components/layout/site-header';

/** A page that says one thing, and what to do next. */
export function MessagePage({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main
        id="content"
        tabIndex={-1}
        className="gutter m-auto grid max-w-xl justify-items-start gap-5 pb-32 outline-none"
      >
        <LogoMark className="size-14" />
        <h1 className="font-title text-head">{title}</h1>
        <p className="text-lg text-soft">{children}</p>
        {action}
      </main>
    </div>
  );
}
