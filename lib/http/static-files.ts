import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { baseHeaders } from '#lib/http/base-headers';
import { takesEncoding } from '#lib/http/takes-encoding';

/**
 * Serves scripts and styles that `compressBuild` compressed, to clients that accept Brotli; returns whether it
 * answered. Everything else is left to Next. The files are few and stay in memory, so an aborted download leaves no
 * file open.
 */
export function createStaticFiles(folder: string): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const files = globSync('**/*.{js,css}.br', { cwd: folder });
  const packed = new Map(
    files.map(file => [`/_next/static/${file.slice(0, -'.br'.length)}`, readFileSync(join(folder, file))]),
  );
  return ({ method, url = '', headers }, outgoing) => {
    const [path = ''] = url.split('?', 1);
    const bytes = packed.get(path);
    if (!bytes || !takesEncoding('br', headers['accept-encoding']) || !/^(GET|HEAD)$/.test(method ?? '')) return false;
    outgoing.writeHead(200, {
      ...baseHeaders(randomUUID()),
      'content-type': path.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
      'content-encoding': 'br',
      'content-length': bytes.length,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    outgoing.end(method === 'HEAD' ? undefined : bytes);
    return true;
  };
}
