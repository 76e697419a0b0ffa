import { contents, findDocsPage, standalone } from '#lib/docs/pages';
import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';
import { answerEtagged, etagged } from '#lib/http/etagged';

const HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, no-cache' };

/** Serves `/llms.txt`, and documentation pages as Markdown at their URL with `.md`; next.config.ts rewrites both. */
export const GET = answer(async (request, { params }) => {
  const path = [(await params)?.page ?? []].flat().join('/');
  return answerEtagged(request, etagged(path ? textOf(`/docs/${path}`) : contents()), HEADERS);
});

function textOf(path: string): string {
  const page = findDocsPage(path);
  if (!page) throw new AppError('not_found', 'There is no such page. /llms.txt lists all pages.');
  return standalone(page);
}
