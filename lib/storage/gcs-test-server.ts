import { createHash, generateKeyPairSync, randomUUID, sign, verify, type KeyObject } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

interface StoredBlob {
  body: Buffer;
  type: string;
  modified: Date;
}

interface Session {
  name: string;
  type: string;
  body: Buffer;
  /** Headers of the first request, whose preconditions are checked again at the end. */
  headers: IncomingMessage['headers'];
}

/** Makes a request be answered with this status, and with `code` in the XML. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

const EMAIL = 'pomona@project.iam.gserviceaccount.com';
/** Unfinished parts are kept in multiples of this number of bytes. */
const UNIT = 262_144;
/** Page size of lists, small enough that they have several pages. */
const PAGE = 2;

/**
 * A test double of Google Cloud Storage that follows the documentation of its XML API: tokens for signed assertions, V4
 * signatures, objects, preconditions, length limits, resumable uploads and lists; and of the metadata and signing
 * services of a Google machine.
 */
export async function startGcsServer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const blobs = new Map<string, StoredBlob>();
  const sessions = new Map<string, Session>();
  const token = `ya29.${randomUUID()}`;
  const granted = { access_token: token, expires_in: 3600, token_type: 'Bearer' };
  const faults = { kept: 1, busy: 0 };
  let origin = '';

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(String(incoming.url), origin);
    const body = await buffer(incoming);
    if (faults.busy-- > 0) throw new Refused(503, 'SlowDown');
    if (url.pathname === '/token') {
      requireAssertion(String(body), url.href, publicKey);
      return json(outgoing, granted);
    }
    if (url.pathname.startsWith('/computeMetadata/')) return metadata(incoming, outgoing, url.pathname);
    if (url.pathname.endsWith(':signBlob')) return signBlob(incoming, outgoing, url.pathname, body);
    if (url.pathname.startsWith('/session/')) return receivePart(incoming, outgoing, url.pathname.slice(9), body);
    if (incoming.headers.authorization !== `Bearer ${token}`) requireSignature(incoming, url, publicKey);
    const name = url.pathname.slice(1);
    if (!name.includes('/')) return list(outgoing, name, url.searchParams);
    if (incoming.method === 'PUT') return put(incoming, outgoing, name, body);
    if (incoming.method === 'POST') return begin(incoming, outgoing, name);
    if (incoming.method === 'DELETE') return void outgoing.writeHead(blobs.delete(name) ? 204 : 404).end();
    return get(incoming, outgoing, name, url.searchParams);
  }

  function metadata({ headers }: IncomingMessage, outgoing: ServerResponse, path: string): void {
    if (headers['metadata-flavor'] !== 'Google') throw new Refused(403, 'Forbidden');
    if (path.endsWith('/email')) outgoing.end(EMAIL);
    else json(outgoing, granted);
  }

  function signBlob({ headers }: IncomingMessage, outgoing: ServerResponse, path: string, body: Buffer): void {
    if (headers.authorization !== `Bearer ${token}` || !path.includes(EMAIL)) throw new Refused(403, 'Forbidden');
    const payload = Buffer.from(JSON.parse(String(body)).payload, 'base64');
    json(outgoing, { keyId: '1', signedBlob: sign('RSA-SHA256', payload, privateKey).toString('base64') });
  }

  function requireFree({ headers }: Pick<IncomingMessage, 'headers'>, name: string): void {
    if (headers['x-goog-if-generation-match'] === '0' && blobs.has(name)) throw new Refused(412, 'PreconditionFailed');
  }

  function put(incoming: IncomingMessage, outgoing: ServerResponse, name: string, body: Buffer): void {
    const { 'content-md5': md5, 'x-goog-content-length-range': range, 'content-type': type = '' } = incoming.headers;
    if (md5 && md5 !== createHash('md5').update(body).digest('base64')) throw new Refused(400, 'BadDigest');
    const [least = 0, most = Infinity] = typeof range === 'string' ? range.split(',').map(Number) : [];
    if (body.length < least || body.length > most) throw new Refused(400, 'EntityTooLarge');
    requireFree(incoming, name);
    if (incoming.headers['x-goog-copy-source']) return copy(incoming, outgoing, name);
    blobs.set(name, { body, type, modified: new Date() });
    outgoing.writeHead(200, { etag: etagOf(body) }).end();
  }

  function copy({ headers }: IncomingMessage, outgoing: ServerResponse, name: string): void {
    const source = blobs.get(String(headers['x-goog-copy-source']));
    if (!source) throw new Refused(404, 'NoSuchKey');
    blobs.set(name, { ...source, modified: new Date() });
    outgoing.end('<CopyObjectResult></CopyObjectResult>');
  }

  function begin(incoming: IncomingMessage, outgoing: ServerResponse, name: string): void {
    if (incoming.headers['x-goog-resumable'] !== 'start') throw new Refused(400, 'InvalidArgument');
    requireFree(incoming, name);
    const id = randomUUID();
    const { headers } = incoming;
    sessions.set(id, { name, type: headers['content-type'] ?? '', body: Buffer.alloc(0), headers });
    outgoing.writeHead(201, { location: `${origin}/session/${id}` }).end();
  }

  function receivePart(incoming: IncomingMessage, outgoing: ServerResponse, id: string, part: Buffer): void {
    const session = sessions.get(id);
    if (!session) throw new Refused(404, 'NoSuchUpload');
    if (incoming.method === 'DELETE') return (sessions.delete(id), void outgoing.writeHead(499).end());
    const [, first = '', total = ''] =
      /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(incoming.headers['content-range'] ?? '') ?? [];
    const from = first === '' ? session.body.length : Number(first);
    if (from > session.body.length) throw new Refused(503, 'ServiceUnavailable');
    let received = Buffer.concat([session.body, part.subarray(session.body.length - from)]);
    received = received.subarray(0, Math.floor(received.length * faults.kept));
    const isWhole = total !== '*' && received.length === Number(total);
    session.body = isWhole ? received : received.subarray(0, Math.floor(received.length / UNIT) * UNIT);
    faults.kept = 1;
    if (!isWhole) {
      const range = session.body.length ? { range: `bytes=0-${session.body.length - 1}` } : {};
      return void outgoing.writeHead(308, range).end();
    }
    sessions.delete(id);
    requireFree(session, session.name);
    blobs.set(session.name, { ...session, modified: new Date() });
    outgoing.writeHead(200, { etag: etagOf(session.body) }).end();
  }

  function get(incoming: IncomingMessage, outgoing: ServerResponse, name: string, query: URLSearchParams): void {
    const blob = blobs.get(name);
    if (!blob) throw new Refused(404, 'NoSuchKey');
    const { body, type } = blob;
    const etag = etagOf(body);
    if (incoming.headers['if-none-match'] === etag) return void outgoing.writeHead(304, { etag }).end();
    const asked = [...query].filter(([parameter]) => parameter.startsWith('response-'));
    const said = Object.fromEntries(asked.map(([parameter, value]) => [parameter.slice('response-'.length), value]));
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? '') ?? [];
    const part = first ? body.subarray(Number(first), Number(last) + 1) : body;
    const range = first ? { 'content-range': `bytes ${first}-${last}/${body.length}` } : {};
    const headers = { etag, 'content-type': type, ...said, 'content-length': part.length, ...range };
    outgoing.writeHead(first ? 206 : 200, headers).end(incoming.method === 'HEAD' ? undefined : part);
  }

  function list(outgoing: ServerResponse, bucket: string, query: URLSearchParams): void {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const after = `${bucket}/${query.get('continuation-token') ?? ''}`;
    const names = [...blobs.keys()].filter(name => name.startsWith(prefix) && name > after).sort();
    const page = names.slice(0, PAGE);
    const contents = page.map(name => {
      const { body, modified } = blobs.get(name)!;
      return `<Contents><Key>${name.slice(bucket.length + 1)}</Key><Size>${body.length}</Size><LastModified>${modified.toISOString()}</LastModified></Contents>`;
    });
    const next = page.at(-1)?.slice(bucket.length + 1);
    const more = names.length > PAGE ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
    outgoing.end(
      `<?xml version='1.0' encoding='UTF-8'?><ListBucketResult>${contents.join('')}${more}</ListBucketResult>`,
    );
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: Error) => {
      const status = error instanceof Refused ? error.status : 500;
      const headers = status === 503 ? { 'retry-after': '0' } : {};
      const said = `<Error><Code>${error.message}</Code><Message>as the real one would say</Message></Error>`;
      outgoing.writeHead(status, headers).end(incoming.method === 'HEAD' ? undefined : said);
    });
  }).listen(0, '127.0.0.1');
  await new Promise(listening => server.once('listening', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keyFile = join(await mkdtemp(join(tmpdir(), 'pomona-gcs-')), 'key.json');
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const account = {
    type: 'service_account',
    client_email: EMAIL,
    private_key,
    private_key_id: '1',
    token_uri: `${origin}/token`,
  };
  await writeFile(keyFile, JSON.stringify(account));

  return {
    origin,
    keyFile,
    /** Returns the address of an empty bucket. */
    makeBucket: () => `gcs://b-${randomUUID()}/media?endpoint=${origin}`,
    /** Makes the server keep only this share of what it has received after the next part. */
    keep: (share: number) => (faults.kept = share),
    failNext: (requests: number) => (faults.busy = requests),
    unfinished: () => sessions.size,
    close: () => server.close(),
  };
}

const json = (outgoing: ServerResponse, value: object): void =>
  void outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(value));

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

/** Requires a valid assertion with which a service account requests a token. */
function requireAssertion(form: string, audience: string, publicKey: KeyObject): void {
  const assertion = new URLSearchParams(form).get('assertion') ?? '';
  const [head, claims, signature] = assertion.split('.');
  const said = JSON.parse(String(Buffer.from(claims ?? '', 'base64url')));
  const genuine = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature!, 'base64url'),
  );
  const now = Date.now() / 1000;
  if (!genuine || said.iss !== EMAIL || said.aud !== audience || said.iat > now + 60 || said.exp < now)
    throw new Refused(400, 'invalid_grant');
}

/** Requires a V4 signature that covers exactly the request sent. */
function requireSignature(incoming: IncomingMessage, url: URL, publicKey: KeyObject): void {
  const given = (name: string) => url.searchParams.get(`X-Goog-${name}`) ?? '';
  const scope = given('Credential').replace(`${EMAIL}/`, '');
  const [, year, month, day, hour, minute, second] = /^(\d{4})(..)(..)T(..)(..)(..)Z$/.exec(given('Date')) ?? [];
  const from = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const names = given('SignedHeaders').split(';');
  const mustBeSigned = Object.keys(incoming.headers).filter(name => name.startsWith('x-goog-'));
  if (given('Algorithm') !== 'GOOG4-RSA-SHA256' || scope !== `${year}${month}${day}/auto/storage/goog4_request`)
    throw new Refused(403, 'AccessDenied');
  if (!names.includes('host') || !mustBeSigned.every(name => names.includes(name)))
    throw new Refused(403, 'AccessDenied');
  const query = url.search.slice(1).split('&');
  const canonical = [
    incoming.method,
    url.pathname,
    query
      .filter(pair => !pair.startsWith('X-Goog-Signature='))
      .sort()
      .join('&'),
    names.map(name => `${name}:${String(incoming.headers[name])}\n`).join(''),
    names.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['GOOG4-RSA-SHA256', given('Date'), scope, hash].join('\n');
  if (!verify('RSA-SHA256', Buffer.from(toSign), publicKey, Buffer.from(given('Signature'), 'hex')))
    throw new Refused(403, 'SignatureDoesNotMatch');
  if (Date.now() > from + Number(given('Expires')) * 1000) throw new Refused(400, 'ExpiredToken');
}
