import { hash } from 'node:crypto';
import { request } from 'undici';
import { log } from '#lib/log';
import { PART_BYTES, type Bucket } from '#lib/storage/bucket';
import { headOf, TAKEN } from '#lib/storage/bucket-answer';
import type { GoogleCredentials } from '#lib/storage/google-credentials';
import { retryingAgent } from '#lib/storage/retrying-agent';
import type { GcsLocation } from '#lib/storage-url';

/** A bucket of Google Cloud Storage, over its XML API. */
export function gcsBucket(location: GcsLocation, credentials: GoogleCredentials): Bucket {
  const { bucket, address, publicAddress, prefix } = location;
  const createOnly = { 'x-goog-if-generation-match': '0' };

  const send: Bucket['send'] = async ({ method, name, query, headers, body, signal }) =>
    request(name === undefined ? address : `${address}/${name}`, {
      method,
      query,
      headers: { ...headers, authorization: `Bearer ${await credentials.token()}` },
      body,
      signal,
      dispatcher: retryingAgent(),
    });

  /** Starts a resumable upload. Returns the URL for its parts; null when the name is taken. */
  const begin = async (name: string, contentType: string): Promise<string | null> => {
    const headers = { 'content-type': contentType, 'x-goog-resumable': 'start', ...createOnly };
    const answer = await headOf(await send({ method: 'POST', name, headers }), `the begin of ${name}`, TAKEN);
    return TAKEN.includes(answer.statusCode) ? null : String(answer.headers.location);
  };

  /** Sends the part at offset `from`, and again what the store did not keep. Returns false when the name is taken. */
  const putPart = async (session: string, part: Buffer, from: number, isLast: boolean): Promise<boolean> => {
    const end = from + part.length;
    for (let at = from; ;) {
      const range = at === end ? '*' : `${at}-${end - 1}`;
      const sent = await request(session, {
        method: 'PUT',
        headers: { 'content-range': `bytes ${range}/${isLast ? end : '*'}` },
        body: part.subarray(at - from),
        dispatcher: retryingAgent(),
      });
      const { statusCode: status, headers } = await headOf(sent, 'a part', [...TAKEN, 308]);
      if (TAKEN.includes(status)) return false;
      at = status === 308 ? Number(/-(\d+)$/.exec(String(headers.range))?.[1] ?? -1) + 1 : end;
      if (at < from) throw new Error('the object store lost a part that it had');
      if (status !== 308 || (at === end && !isLast)) return true;
    }
  };

  const end = async (session: string) => {
    const answer = await request(session, { method: 'DELETE', dispatcher: retryingAgent() });
    await answer.body.dump();
  };

  return {
    id: 'gcs',
    name: bucket,
    origin: new URL(publicAddress).origin,
    prefix,
    createOnly,
    rangeHeader: 'x-goog-content-length-range',
    sourceHeader: 'x-goog-copy-source',
    send,

    async sign({ method, name, query, headers }, from, expiresAt) {
      const time = from.toISOString().replace(/[:-]|\.\d{3}/g, '');
      const scope = `${time.slice(0, 8)}/auto/storage/goog4_request`;
      const url = new URL(`${publicAddress}/${name}`);
      const carried = Object.entries({ host: url.host, ...headers })
        .map(([header, value]) => [header.toLowerCase(), value] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const names = carried.map(([header]) => header).join(';');
      const parameters = Object.entries({
        ...query,
        'X-Goog-Algorithm': 'GOOG4-RSA-SHA256',
        'X-Goog-Credential': `${await credentials.email()}/${scope}`,
        'X-Goog-Date': time,
        'X-Goog-Expires': String(Math.max(1, Math.ceil((expiresAt.getTime() - from.getTime()) / 1000))),
        'X-Goog-SignedHeaders': names,
      });
      const search = parameters
        .map(pair => pair.map(encode).join('='))
        .sort()
        .join('&');
      const lines = carried.map(([header, value]) => `${header}:${value}\n`).join('');
      const canonical = [method, url.pathname, search, lines, names, 'UNSIGNED-PAYLOAD'].join('\n');
      const hashed = hash('sha256', canonical);
      const signature = await credentials.sign(['GOOG4-RSA-SHA256', time, scope, hashed].join('\n'));
      return `${url}?${search}&X-Goog-Signature=${signature.toString('hex')}`;
    },

    async putParts(name, contentType, parts) {
      const session = await begin(name, contentType);
      if (session === null) return false;
      try {
        let from = 0;
        for await (const part of parts) {
          // only the last part may be shorter
          const isLast = part.length < PART_BYTES;
          const written = await putPart(session, part, from, isLast);
          from += part.length;
          if (isLast || !written) return written;
        }
        return await putPart(session, Buffer.alloc(0), from, true);
      } catch (error) {
        await end(session).catch(failure =>
          log().warn({ err: failure, name }, 'unfinished multipart upload not aborted'),
        );
        throw error;
      }
    },

    // unfinished uploads are not objects, and expire after a week
    sweepUnfinished: async () => 0,
  };
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
