import { readVisit } from '#components/generations/visit';
import { isInMatrix } from '#components/matrix/matrices';

/** Whether the current page shows every submission, including refusals. */
export const hasStage = (): boolean => location.pathname.startsWith('/create');

/** Whether the current page itself shows a request: the stage, the matrix it fills, or the recipe whose run sent it. */
export function isOnStage(requestId: string): boolean {
  const { pathname, search } = location;
  if (pathname === '/matrix') return isInMatrix(new URLSearchParams(search).get('run'), requestId);
  if (/^\/recipes\/./.test(pathname)) return !readVisit().some(submission => submission.requestId === requestId);
  return hasStage();
}
