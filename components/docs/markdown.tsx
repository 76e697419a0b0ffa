import type { ComponentProps, ReactNode } from 'react';
import { astToJSX, parser, RuleType, type MarkdownToJSX } from 'markdown-to-jsx/react';
import { CodeTabs } from '#components/docs/code-tabs';
import { Code } from '#components/docs/docs-part';
import { CodeBlock } from '#components/ui/code-block';
import { TextLink } from '#components/ui/text-link';
import { anchorOf } from '#lib/docs/anchor-of';

/** Text of a guide below its title. Consecutive code blocks are the same code in several languages, shown as tabs. */
export function Markdown({ nodes }: { nodes: readonly MarkdownToJSX.ASTNode[] }) {
  return inGroups(nodes).map((group, index) => {
    const codes = group.filter(node => node.type === RuleType.codeBlock);
    const [first] = codes;
    if (!first) return <div key={index}>{astToJSX(group, { overrides: OVERRIDES, wrapper: null })}</div>;
    const title = wordOf(first);
    return codes.length > 1 ? (
      <CodeTabs
        key={index}
        title="Code"
        codes={codes.map(node => ({ value: node.lang ?? '', label: wordOf(node), code: node.text }))}
      />
    ) : (
      <CodeBlock key={index} title={title} code={first.text} />
    );
  });
}

export const parseMarkdown = (markdown: string): MarkdownToJSX.ASTNode[] => parser(markdown, { slugify: anchorOf });

/** Puts consecutive code blocks into one group, and every other node into a group of its own. */
function inGroups(nodes: readonly MarkdownToJSX.ASTNode[]): MarkdownToJSX.ASTNode[][] {
  const groups: MarkdownToJSX.ASTNode[][] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    if (node.type === RuleType.codeBlock && last?.[0]?.type === RuleType.codeBlock) last.push(node);
    else groups.push([node]);
  }
  return groups;
}

const LANGUAGES: Record<string, string> = {
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  json: 'JSON',
};
const wordOf = ({ lang = '', text }: MarkdownToJSX.CodeBlockNode): string =>
  lang === 'sh' ? (text.includes('curl') ? 'curl' : 'In a shell') : (LANGUAGES[lang] ?? lang);

const OVERRIDES: MarkdownToJSX.Overrides = {
  h2: ({ id, children }: { id: string; children: ReactNode }) => (
    <h2 id={id} className="font-title mt-8 scroll-mt-8 text-title">
      {children}
    </h2>
  ),
  h3: ({ id, children }: { id: string; children: ReactNode }) => (
    <h3 id={id} className="mt-3 scroll-mt-8 rounded-sm font-medium target:bg-accent/10">
      {children}
    </h3>
  ),
  p: { props: { className: 'max-w-prose text-soft' } },
  ul: { props: { className: 'grid max-w-prose grid-cols-1 list-disc gap-2 pl-5 text-soft marker:text-accent' } },
  ol: { props: { className: 'grid max-w-prose grid-cols-1 list-decimal gap-2 pl-5 text-soft marker:text-faint' } },
  strong: { props: { className: 'font-medium text-ink' } },
  a: ({ href, children }: ComponentProps<'a'>) => <TextLink href={href ?? ''}>{children}</TextLink>,
  code: Code,
  table: ({ children }: { children: ReactNode }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be focusable
    <div tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-128 border-t text-left text-sm">{children}</table>
    </div>
  ),
  th: { props: { className: 'border-b py-2.5 pr-6 font-medium' } },
  td: { props: { className: 'border-b py-2.5 pr-6 align-top text-soft' } },
};
