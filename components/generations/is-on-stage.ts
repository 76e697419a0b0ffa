import { readVisit } from '#components/generations/visit';
import { isInMatrix } from '#components/matrix/matrices';

/** Whether all that is submitted has a place on the page, refusals too. */
export const hasStage = (): boolean => location.pathname.startsWith('/create');

/** Whether the page shows in its own place what becomes of a request: a matrix what fills it, a recipe what its runs have sent. */
export function isOnStage(requestId: string): boolean {
  const { pathname, search } = location;
  if (pathname === '/matrix') return isInMatrix(new URLSearchParams(search).get('run'), requestId);
  if (/^\/recipes\/./.test(pathname)) return !readVisit().some(submission => submission.requestId === requestId);
  return hasStage();
}
