import { RuleType } from 'markdown-to-jsx/react';
import { AsMarkdown } from '#components/docs/docs-part';
import { Markdown, parseMarkdown } from '#components/docs/markdown';
import { TextLink } from '#components/ui/text-link';

interface GuideLink {
  path: string;
  title: string;
}

/** A guide: its text, a table of contents on wide screens, and a link to the next guide. */
export function GuidePage({
  path,
  title,
  markdown,
  next,
}: GuideLink & {
  markdown: string;
  /** The next guide. */
  next: GuideLink | undefined;
}) {
  const nodes = parseMarkdown(markdown).filter(node => !(node.type === RuleType.heading && node.level === 1));
  const parts = nodes.filter(node => node.type === RuleType.heading).filter(({ level }) => level === 2);
  return (
    <div className="grid grid-cols-1 gap-x-12 xl:grid-cols-[minmax(0,48rem)_13rem]">
      <article className="grid min-w-0 grid-cols-1 content-start gap-5">
        <h1 className="font-title text-head">{title}</h1>
        <Markdown nodes={nodes} />
        <footer className="mt-12 flex flex-wrap justify-between gap-x-8 gap-y-3 border-t pt-5 text-sm text-soft">
          {next && (
            <p>
              Next: <TextLink href={next.path}>{next.title}</TextLink>
            </p>
          )}
          <AsMarkdown path={path} />
        </footer>
      </article>
      {parts.length > 2 && (
        <nav aria-label="On this page" className="sticky top-8 hidden self-start border-l pl-5 text-sm xl:block">
          <ul className="grid gap-2.5 text-soft">
            {parts.map(({ id, children }) => (
              <li key={id}>
                <a href={`#${id}`} className="hover:text-ink">
                  {children.map(node => ('text' in node ? node.text : '')).join('')}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
