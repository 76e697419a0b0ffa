import type { ReactNode } from 'react';
import { Emblem } from '#components/architectures/emblem';
import type { DocsGroup } from '#components/docs/groups';
import { MethodMark } from '#components/docs/method-mark';
import { NavLink } from '#components/layout/nav-link';

export interface DocsNavProps {
  groups: readonly DocsGroup[];
  models: readonly { id: string; name: string }[];
}

/** Every page of the reference: beside the text on wide screens, folded above it on narrow ones. */
export function DocsNav(props: DocsNavProps) {
  return (
    <>
      <details className="border-y lg:hidden">
        <summary className="py-3 text-sm font-medium">All pages of the reference</summary>
        <nav aria-label="Reference, folded" className="pb-6">
          <Links {...props} />
        </nav>
      </details>
      <nav aria-label="Reference" className="sticky top-0 hidden max-h-dvh overflow-y-auto pt-2 pr-4 pb-10 lg:block">
        <Links {...props} />
      </nav>
    </>
  );
}

function Links({ groups, models }: DocsNavProps) {
  return (
    <div className="grid gap-6">
      <Part title="Start">
        <Entry href="/docs" exact>
          Quickstart
        </Entry>
        <Entry href="/docs/errors">Errors</Entry>
      </Part>
      {groups.map(({ title, operations }) => (
        <Part key={title} title={title}>
          {operations.map(({ id, method, path }) => (
            <Entry key={id} href={`/docs/${id}`}>
              <MethodMark method={method} className="w-12 shrink-0 text-[0.6875rem]" />
              <span className="truncate">{wordsOf(id)}</span>
              <span className="sr-only">{path}</span>
            </Entry>
          ))}
        </Part>
      ))}
      <Part title="Fields of each model">
        {models.map(({ id, name }) => (
          <Entry key={id} href={`/docs/models/${id}`}>
            <Emblem id={id} className="size-5" />
            {name}
          </Entry>
        ))}
      </Part>
    </div>
  );
}

/** `list_requests` as words. */
const wordsOf = (id: string): string => {
  const words = id.replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-1.5">
      <h2 className="px-2.5 text-xs text-faint">{title}</h2>
      <ul className="grid">{children}</ul>
    </section>
  );
}

function Entry({ href, exact = false, children }: { href: string; exact?: boolean; children: ReactNode }) {
  return (
    <li>
      <NavLink
        href={href}
        exact={exact}
        // the whole reference would come along with every page of it
        prefetch={false}
        className="flex min-h-8 items-center gap-2 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-ink/6 hover:text-ink aria-[current]:bg-ink/8 aria-[current]:font-medium aria-[current]:text-ink"
      >
        {children}
      </NavLink>
    </li>
  );
}
