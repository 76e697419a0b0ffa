import type { ReactNode } from 'react';
import { TextLink } from '#components/ui/text-link';

/** A titled section of a reference page, which can be linked to by its id. */
export function DocsPart({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 scroll-mt-8 grid-cols-1 content-start gap-4"
    >
      <h2 id={`${id}-title`} className="font-title text-title">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Link to the page as Markdown, for agents and editors. */
export function AsMarkdown({ path }: { path: string }) {
  return (
    <p className="text-sm">
      <TextLink href={`${path}.md`}>This page as Markdown</TextLink>
    </p>
  );
}

/** Inline code. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-sm bg-ink/6 px-1 py-px font-mono text-[0.875em] wrap-anywhere text-ink">{children}</code>
  );
}
