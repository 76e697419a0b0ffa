import type { ReactNode } from 'react';
import { Logo, LogoMark } from '#components/layout/logo';
import { SkipLink } from '#components/layout/skip-link';

/** A page with one message and an action. It has few parts, because every page preloads them. */
export function MessagePage({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="gutter mx-auto w-full max-w-[88rem] py-4 md:py-6">
        <SkipLink />
        {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- `Link` would add code to every page */}
        <a href="/" aria-label="Pomona, start">
          <Logo />
        </a>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="gutter m-auto grid max-w-xl grid-cols-1 justify-items-start gap-5 pb-32 outline-none"
      >
        <LogoMark className="size-14" />
        <h1 className="font-title text-head">{title}</h1>
        <p className="text-lg text-soft">{children}</p>
        {action}
      </main>
    </div>
  );
}
