import Link from 'next/link';
import { Emblem } from '#components/architectures/emblem';
import { Code } from '#components/docs/docs-part';
import { TextLink } from '#components/ui/text-link';
import type { DocsPage } from '#lib/docs/pages';

/** Start page of the documentation: the guides with their purpose, and all models. */
export function DocsHome({ pages }: { pages: readonly DocsPage[] }) {
  const guides = Map.groupBy(
    pages.filter(({ kind }) => kind === 'guide'),
    ({ shelf }) => shelf,
  );
  const models = pages.filter(({ kind }) => kind === 'model');
  return (
    <article className="grid max-w-5xl grid-cols-1 gap-14">
      <header className="grid gap-4">
        <h1 className="font-title text-head">Build with Pomona</h1>
        <p className="max-w-prose text-lg text-soft">
          Send a prompt to a model, wait for its status, download the file: JSON over HTTP, from any language. You know
          the price first, and failed requests are refunded.
        </p>
      </header>
      {[...guides].map(([shelf, members]) => (
        <section
          key={shelf}
          aria-labelledby={`shelf-${shelf}`}
          className="grid gap-x-10 gap-y-4 lg:grid-cols-[9rem_1fr]"
        >
          <h2 id={`shelf-${shelf}`} className="font-title text-title lg:pt-3">
            {shelf}
          </h2>
          <ul className="grid border-t">
            {members.map(({ path, title, summary }) => (
              <li key={path} className="border-b">
                <Link
                  href={path}
                  prefetch={false}
                  className="group grid gap-x-8 gap-y-0.5 py-3.5 md:grid-cols-[15rem_minmax(0,1fr)]"
                >
                  <span className="font-medium transition-colors group-hover:text-accent-ink">{title}</span>
                  <span className="text-sm/6 text-soft">{summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {models.length > 0 && (
        <section aria-labelledby="shelf-models" className="grid gap-x-10 gap-y-4 lg:grid-cols-[9rem_1fr]">
          <h2 id="shelf-models" className="font-title text-title lg:pt-3">
            Models
          </h2>
          <ul className="grid grid-cols-2 gap-x-6 max-[18rem]:grid-cols-1 border-t pt-3 sm:grid-cols-3 xl:grid-cols-4">
            {models.map(({ path, title }) => (
              <li key={path}>
                <Link href={path} prefetch={false} className="flex min-h-11 items-center gap-3 hover:text-accent-ink">
                  <Emblem id={path.split('/').at(-1)!} className="size-7" />
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="max-w-prose text-sm text-soft">
        For tools: <TextLink href="/v1/openapi.json">OpenAPI 3.1</TextLink>. For agents:{' '}
        <TextLink href="/llms.txt">llms.txt</TextLink>, and every page as Markdown: add <Code>.md</Code> to its address.
      </p>
    </article>
  );
}
