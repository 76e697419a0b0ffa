import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { takesEncoding } from '#lib/http/takes-encoding';

interface Page {
  html: string;
  /** Nonce in the HTML, to be replaced for each request. */
  nonce: string;
  headers: OutgoingHttpHeaders;
  /** `Link` header with font preloads, which contain the nonce too. */
  link: string;
}

/** Lifetime of the cached start page: its examples change without a new revision. */
const START_PAGE_MS = 5_000;

const PUBLIC = /^\/(docs(\/[\w/-]*)?|sign-in|sign-up)?$/;
/** Headers that a cached page may depend on. Others are removed, or one visitor's data could be cached for all. */
const HEADERS = ['host', 'accept-encoding', 'content-security-policy'];
const compress = promisify(gzip);
const expand = promisify(gunzip);

/**
 * Serves public pages from a cache to visitors without cookies. Each page is rendered once per revision of its sources.
 * The nonce in it is replaced by that of each request, which is in the response headers already.
 */
export function cachePages(
  render: RequestListener,
  revision: () => string,
): (incoming: IncomingMessage, outgoing: ServerResponse, nonce: string) => unknown {
  const pages = new Map<string, Promise<Page | null>>();
  let madeFrom = '';

  return async (incoming, outgoing, nonce) => {
    // Next may never finish a page whose client has disconnected
    if (!isPublic(incoming) || outgoing.closed) return render(incoming, outgoing);
    if (madeFrom !== revision()) pages.clear();
    madeFrom = revision();
    const path = incoming.url ?? '/';
    const known = pages.get(path);
    if (!known) {
      const made = record(outgoing, nonce);
      pages.set(path, made);
      // pages that fail or are not found are not cached
      void made.then(
        page => page ?? pages.delete(path),
        () => pages.delete(path),
      );
      if (path === '/') setTimeout(() => pages.delete(path), START_PAGE_MS).unref();
      // gzip is the only encoding that `record` can decode
      incoming.headers['accept-encoding'] = takesGzip(incoming) ? 'gzip' : 'identity';
      for (const name of Object.keys(incoming.headers)) if (!HEADERS.includes(name)) delete incoming.headers[name];
      return render(incoming, outgoing);
    }
    const page = await known;
    return page ? send(page, incoming, outgoing, nonce) : render(incoming, outgoing);
  };
}

function isPublic({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && PUBLIC.test(url) && headers.cookie === undefined && headers.rsc === undefined;
}

const takesGzip = ({ headers }: IncomingMessage) => takesEncoding('gzip', headers['accept-encoding']);

/** Captures the page that is about to be written, whose client may be slow; null when incomplete or not a page. */
function record(outgoing: ServerResponse, nonce: string): Promise<Page | null> {
  const chunks: Buffer[] = [];
  return new Promise(done => {
    for (const name of ['write', 'end'] as const) {
      const pass = outgoing[name].bind(outgoing) as (...args: unknown[]) => unknown;
      outgoing[name] = (...args: unknown[]) => {
        const [chunk, encoding] = args;
        if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
        else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
        if (name === 'end') done(pageOf(outgoing, Buffer.concat(chunks), nonce));
        const passed = pass(...args);
        // always true for a write, so that a slow client does not hold up Next and the readers that wait for this page
        return (name === 'write' || passed) as never;
      };
    }
    outgoing.once('close', () => outgoing.writableEnded || done(null));
  });
}

async function pageOf(outgoing: ServerResponse, bytes: Buffer, nonce: string): Promise<Page | null> {
  if (outgoing.statusCode !== 200 || !outgoing.hasHeader('content-type')) return null;
  const { 'content-type': type, 'cache-control': cacheControl, link = '', ...sent } = outgoing.getHeaders();
  const headers = { 'content-type': type, 'cache-control': cacheControl };
  const html = String(sent['content-encoding'] === 'gzip' ? await expand(bytes) : bytes);
  return { html, nonce, headers, link: String(link) };
}

async function send(page: Page, incoming: IncomingMessage, outgoing: ServerResponse, nonce: string): Promise<void> {
  const text = page.html.replaceAll(page.nonce, nonce);
  const zipped = takesGzip(incoming);
  const body = zipped ? await compress(text, { level: 4 }) : Buffer.from(text);
  outgoing.writeHead(200, {
    ...page.headers,
    ...(page.link && { link: page.link.replaceAll(page.nonce, nonce) }),
    ...(zipped && { 'content-encoding': 'gzip' }),
    vary: 'accept-encoding, cookie, rsc',
    'content-length': body.length,
  });
  outgoing.end(body);
}
