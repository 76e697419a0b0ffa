import { parser, RuleType, type MarkdownToJSX } from 'markdown-to-jsx/markdown';
import { byRevision } from '#lib/catalog/by-revision';
import { anchorOf } from '#lib/docs/anchor-of';
import { docsPages, type DocsPage } from '#lib/docs/pages';

/** A searchable part of a page. */
export interface DocsSection {
  href: string;
  /** Title of the page. */
  title: string;
  /** Heading of the section; empty for the start of a page. */
  heading: string;
  text: string;
}

/** Every section of every page. */
export const docsSections = byRevision('docs-sections', (): DocsSection[] => docsPages().flatMap(sectionsOf));

function sectionsOf({ kind, path, title, summary, markdown }: DocsPage): DocsSection[] {
  // schemas and examples of an operation or model are left out, or they would dominate the search
  if (kind !== 'guide') {
    const [text = ''] = markdown.split('## Example');
    return [{ href: path, title, heading: '', text: `${summary} ${textOf(parser(text))}` }];
  }
  const sections: DocsSection[] = [{ href: path, title, heading: '', text: '' }];
  for (const node of parser(markdown, { slugify: anchorOf })) {
    if (node.type === RuleType.heading && node.level > 1)
      sections.push({ href: `${path}#${node.id}`, title, heading: textOf(node.children), text: '' });
    else if (node.type !== RuleType.heading && node.type !== RuleType.codeBlock)
      sections.at(-1)!.text += `${textOf([node])} `;
  }
  return sections;
}

/** Returns the plain text of Markdown. */
function textOf(nodes: readonly MarkdownToJSX.ASTNode[]): string {
  return nodes
    .map(node => {
      if (node.type === RuleType.table) return [...node.header, ...node.cells.flat()].map(textOf).join(' ');
      if ('items' in node) return node.items.map(textOf).join(' ');
      if ('children' in node && node.children) return textOf(node.children);
      return 'text' in node ? (node.text ?? '') : '';
    })
    .join('');
}
