import type { RequestListener } from 'node:http';
import { refuseOddPage, type ParseState } from '#lib/http/guard';
import { limitPage } from '#lib/http/limit-pages';
import { cachePages } from '#lib/http/page-cache';
import { setPageHeaders } from '#lib/http/page-headers';
import { createStaticFiles } from '#lib/http/static-files';

/** Wraps Next with static files, headers, a guard, a limit and the cache of public pages. */
export function createPageLane(
  next: RequestListener,
  {
    revision,
    parseState,
    build,
    dev,
  }: {
    revision: () => string;
    parseState: ParseState;
    /** Folder of the build's scripts and styles. */
    build: string;
    dev: boolean;
  },
): RequestListener {
  if (dev)
    return (incoming, outgoing) => {
      setPageHeaders(incoming, outgoing, true);
      return next(incoming, outgoing);
    };
  const files = createStaticFiles(build);
  const render = cachePages((incoming, outgoing) => next(incoming, outgoing), revision);
  return async (incoming, outgoing) => {
    if (files(incoming, outgoing)) return;
    const nonce = setPageHeaders(incoming, outgoing, false);
    if (refuseOddPage(incoming, outgoing, parseState)) return;
    await limitPage(incoming, outgoing, () => render(incoming, outgoing, nonce));
  };
}
