import { byRevision } from '#lib/catalog/by-revision';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { readGuide, SHELVES } from '#lib/docs/guides';
import { readApi } from '#lib/docs/read-api';
import { isOfRecipe, isShared, modelMarkdown, operationMarkdown } from '#lib/docs/reference';
import { env } from '#lib/env';

/** A page of the documentation, whatever its source. */
export interface DocsPage {
  kind: 'guide' | 'operation' | 'model';
  /** Heading of the page in the table of contents. */
  shelf: string;
  /** `/docs/…`; with `.md` appended, the page as Markdown. */
  path: string;
  title: string;
  /** One sentence. */
  summary: string;
  markdown: string;
}

/** Every page, in the order of the table of contents. */
export const docsPages = byRevision('docs-pages', (): DocsPage[] => {
  const { BASE_URL } = env();
  const { operations, schemas } = readApi();
  const models = catalogResponse().body.architectures;
  return [
    ...Object.entries(SHELVES).flatMap(([shelf, names]) =>
      names.map((name): DocsPage => {
        const markdown = readGuide(name);
        return { kind: 'guide', shelf, path: `/docs/${name}`, ...headOf(markdown), markdown };
      }),
    ),
    ...operations
      .filter(one => isShared(one) || isOfRecipe(one))
      .map((operation): DocsPage => {
        const { id, tag, summary, method, path } = operation;
        const markdown = operationMarkdown(operation, schemas, BASE_URL);
        return {
          kind: 'operation',
          shelf: tag,
          path: `/docs/${id}`,
          title: summary,
          summary: `${method} ${path}`,
          markdown,
        };
      }),
    ...models.map((entry): DocsPage => {
      const { id, name, description } = entry;
      const markdown = modelMarkdown(entry, BASE_URL);
      return {
        kind: 'model',
        shelf: 'Models',
        path: `/docs/models/${id}`,
        title: name,
        summary: description,
        markdown,
      };
    }),
  ];
});

/** Returns title and first sentence of a guide. */
function headOf(markdown: string): Pick<DocsPage, 'title' | 'summary'> {
  const [, title = '', text = ''] = /^# (.+)\n+([^]+?)\n\n/.exec(markdown) ?? [];
  const plain = text.replaceAll('\n', ' ').replaceAll(/\[([^\]]+)\]\([^)]*\)|`/g, '$1');
  return { title, summary: /^.+?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain };
}

export const findDocsPage = (path: string): DocsPage | undefined => docsPages().find(page => page.path === path);

/** Returns a page as self-contained Markdown: links are absolute and lead to Markdown too. */
export const standalone = ({ markdown }: DocsPage): string =>
  markdown.replaceAll(/\]\((\/docs[\w/-]*)(#[\w-]+)?\)/g, (_, path: string, anchor = '') => {
    return `](${env().BASE_URL}${path}.md${anchor})`;
  });

/** Text of `/llms.txt`: all pages, with links to their Markdown. */
export const contents = byRevision('docs-contents', (): string => {
  const { BASE_URL } = env();
  const shelves = Map.groupBy(docsPages(), ({ shelf }) => shelf);
  return [
    '# Pomona',
    '> Images, video and audio from one HTTP API. A client submits a prompt to a model, waits for its status and downloads the file. Each generation is paid in gems.',
    `Everything is below ${BASE_URL}/v1, with an API key as a bearer token. The whole API as OpenAPI 3.1: ${BASE_URL}/v1/openapi.json. Every model with its fields and price: ${BASE_URL}/v1/architectures.`,
    ...[...shelves].flatMap(([shelf, pages]) => [
      `## ${shelf}`,
      pages.map(({ path, title, summary }) => `- [${title}](${BASE_URL}${path}.md): ${summary}`).join('\n'),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
});
