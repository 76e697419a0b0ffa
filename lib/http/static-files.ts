import type { IncomingMessage, ServerResponse } from 'node:http';
import sirv from 'sirv';

const PREFIX = '/_next/static';
const YEAR_SECONDS = 31_536_000;

/**
 * Scripts and styles of the build as `compressBuild` has packed them, for whoever takes that form. Says whether it answered;
 * everything else is Next's.
 */
export function createStaticFiles(folder: string): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  // looked for once: a build does not change
  const serve = sirv(folder, { brotli: true, immutable: true, maxAge: YEAR_SECONDS });
  return (incoming, outgoing) => {
    const { url = '', headers } = incoming;
    const isTaken = /\bbr\b/.test(String(headers['accept-encoding']));
    if (!isTaken || !/^\/_next\/static\/[^?]+\.(js|css)($|\?)/.test(url)) return false;
    let isThere = true;
    incoming.url = url.slice(PREFIX.length);
    serve(incoming, outgoing, () => {
      isThere = false;
      incoming.url = url;
    });
    return isThere;
  };
}
