import type { ReactNode } from 'react';
import { Emblem } from '#components/architectures/emblem';
import { DocsSearch } from '#components/docs/docs-search';
import { MethodMark } from '#components/docs/method-mark';
import { NavLink } from '#components/layout/nav-link';
import type { DocsPage } from '#lib/docs/pages';

/** Links to all pages: beside the text on wide screens, folded above it on narrow ones. */
export function DocsNav({ pages }: { pages: readonly DocsPage[] }) {
  return (
    <div className="grid grid-cols-1 content-start gap-4 print:hidden lg:sticky lg:top-0 lg:-mx-1 lg:max-h-dvh lg:gap-2 lg:overflow-y-auto lg:px-1">
      <div className="z-10 bg-paper lg:sticky lg:top-0 lg:pt-2 lg:pb-2">
        <DocsSearch />
      </div>
      <details className="fold-narrow border-y lg:border-0">
        <summary className="py-3 text-sm font-medium">All pages</summary>
        <nav aria-label="Documentation" className="pb-6 lg:pr-4 lg:pb-10">
          <Shelves pages={pages} />
        </nav>
      </details>
    </div>
  );
}

function Shelves({ pages }: { pages: readonly DocsPage[] }) {
  return (
    <div className="grid gap-6">
      {[...Map.groupBy(pages, ({ shelf }) => shelf)].map(([shelf, members]) => (
        <section key={shelf} className="grid gap-1.5">
          <h2 className="px-2.5 text-xs text-faint">{shelf}</h2>
          <ul className="grid">
            {members.map(page => (
              <Entry key={page.path} href={page.path}>
                <Label {...page} />
              </Entry>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Label({ kind, path, title, summary }: DocsPage) {
  const name = path.split('/').at(-1)!;
  if (kind === 'guide') return title;
  if (kind === 'model')
    return (
      <>
        <Emblem id={name} className="size-5" />
        {title}
      </>
    );
  const [method = '', route] = summary.split(' ');
  return (
    <>
      <MethodMark method={method} className="w-12 shrink-0 text-[0.6875rem]" />
      <span className="truncate first-letter:uppercase">{name.replaceAll('_', ' ')}</span>
      <span className="sr-only">{route}</span>
    </>
  );
}

function Entry({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <NavLink
        href={href}
        className="flex min-h-8 items-center gap-2 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-ink/6 hover:text-ink aria-[current]:bg-ink/8 aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-11"
      >
        {children}
      </NavLink>
    </li>
  );
}
