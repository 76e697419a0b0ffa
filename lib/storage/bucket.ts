import { createHash, hash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { inTemporaryFolder } from '#lib/process/temporary-folder';
import { faultOf, headOf, readXml, refusalOf, TAKEN } from '#lib/storage/bucket-answer';
import { hashOf, summed } from '#lib/storage/hash';
import { inParts } from '#lib/storage/in-parts';
import { isMediaKey } from '#lib/storage/media-key';
import { holdsOtherBytes, missing, requireType, typeOfMediaKey } from '#lib/storage/refusals';
import type { ByteStore, StoredObject } from '#lib/storage/storage';

export interface BucketRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Object name; undefined for requests about the bucket. */
  name?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer | string;
  signal?: AbortSignal;
}

/** Vendor-specific access to a bucket. All vendors use the XML format of S3. */
export interface Bucket {
  readonly id: 's3' | 'gcs';
  readonly name: string;
  /** Origin of signed URLs. */
  readonly origin: string;
  /** Prefix of object names: empty, or a folder with a trailing slash. */
  readonly prefix: string;
  /** Headers that make a PUT fail with 412 when the name is taken; empty when the vendor does not support that. */
  readonly createOnly: Record<string, string>;
  /** Header of a signed PUT that states the range of lengths allowed. */
  readonly rangeHeader: string;
  /** Header of a PUT that names the object to copy. */
  readonly sourceHeader: string;
  /** Sends a request with this deployment's credentials; retries while the store is busy. Resolves for any status. */
  send(request: BucketRequest): Promise<Dispatcher.ResponseData>;
  /** Signs a URL with which anyone can make this request between `from` and `expiresAt`. */
  sign(request: BucketRequest & { name: string }, from: Date, expiresAt: Date): Promise<string>;
  /** Uploads an object in parts, atomically. Returns false when the name is taken. */
  putParts(name: string, contentType: string, parts: AsyncIterable<Buffer>): Promise<boolean>;
  sweepUnfinished(before: Date): Promise<number>;
}

/** Size of an upload part; longer files need several requests. Two parts are in memory during an upload. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Timeout of small requests, including retries, because clients that read a file wait for them. */
const ANSWER_MS = 5_000;

/** A store of media in a bucket, with one object for each key. */
export function createBucketStore(bucket: Bucket): ByteStore {
  const nameOf = (key: string) => bucket.prefix + key;

  /** Returns the ETag of the object, or true when the answer has none; false when the name is taken. */
  async function putWhole(name: string, body: Buffer, contentType: string): Promise<string | boolean> {
    const headers = { 'content-type': contentType, 'content-md5': hash('md5', body, 'base64'), ...bucket.createOnly };
    const sent = await bucket.send({ method: 'PUT', name, headers, body });
    const answer = await headOf(sent, `PUT ${name}`, TAKEN);
    if (TAKEN.includes(answer.statusCode)) return false;
    return String(answer.headers.etag ?? '') || true;
  }

  async function read(name: string, range?: string): Promise<Dispatcher.ResponseData | null> {
    const answer = await bucket.send({ method: 'GET', name, ...(range && { headers: { range } }) });
    if (answer.statusCode === 404) return answer.body.dump().then(() => null);
    if (answer.statusCode >= 300) throw await refusalOf(answer, `GET ${name}`);
    return answer;
  }

  const store: ByteStore = {
    id: bucket.id,

    async put(key, body, contentType) {
      requireType(key, contentType);
      const sum = createHash('sha256');
      const parts = inParts(summed(body instanceof Uint8Array ? [body] : body, sum), PART_BYTES);
      try {
        const { value: first = Buffer.alloc(0) } = await parts.next();
        const second = await parts.next();
        // not every store that refuses to overwrite objects does so for multipart uploads
        const refuses = second.done && Object.keys(bucket.createOnly).length > 0;
        const free = refuses || !(await store.head(key));
        const written =
          free &&
          (second.done
            ? await putWhole(nameOf(key), first, contentType)
            : await bucket.putParts(nameOf(key), contentType, following([first, second.value], parts)));
        if (!written) {
          // read to the end for the checksum
          for await (const _ of parts);
          const there = await read(nameOf(key));
          // an earlier attempt whose response was lost may still be in progress
          if (!there) throw faultOf(503, `the object store is just writing ${key}`);
          if (!sum.digest().equals(await hashOf(there.body))) throw holdsOtherBytes();
        }
        if (typeof written === 'string') return { bytes: first.length, contentType, etag: written };
      } finally {
        await parts.return(undefined);
      }
      const stored = await store.head(key);
      if (!stored) throw new Error(`${key} was stored, but is not there`);
      return stored;
    },

    async head(key) {
      const contentType = typeOfMediaKey(key);
      if (!contentType) return null;
      const signal = AbortSignal.timeout(ANSWER_MS);
      const sent = await bucket.send({ method: 'HEAD', name: nameOf(key), signal }).catch((cause: unknown) => {
        throw signal.aborted ? faultOf(504, `the object store did not answer HEAD ${key}`) : cause;
      });
      const answer = await headOf(sent, `HEAD ${key}`, [404]);
      if (answer.statusCode === 404) return null;
      const { 'content-length': bytes, etag } = answer.headers;
      // a proxy may have answered or removed headers; without a length, the file would count as too long
      if (bytes === undefined || etag === undefined)
        throw faultOf(502, `the object store answered HEAD ${key} without a length or an ETag`);
      return { bytes: Number(bytes), contentType, etag: String(etag) } satisfies StoredObject;
    },

    async get(key, range) {
      const answer = typeOfMediaKey(key) && (await read(nameOf(key), range && `bytes=${range.start}-${range.end}`));
      if (!answer) throw missing(key);
      return answer.body;
    },

    withFile(key, use) {
      return inTemporaryFolder(async folder => {
        const path = join(folder, basename(key));
        await pipeline(await store.get(key), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        return use(path);
      });
    },

    async delete(key) {
      if (!typeOfMediaKey(key)) throw missing(key);
      await headOf(await bucket.send({ method: 'DELETE', name: nameOf(key) }), `DELETE ${key}`, [404]);
    },

    async *list(prefix) {
      const query: Record<string, string> = { 'list-type': '2', prefix: nameOf(prefix) };
      do {
        const page = await readXml(await bucket.send({ method: 'GET', query }), 'the list');
        for (const { Key, Size, LastModified } of page.all('Contents')) {
          const key = String(Key).slice(bucket.prefix.length);
          if (isMediaKey(key)) yield { key, bytes: Number(Size), modifiedAt: new Date(String(LastModified)) };
        }
        query['continuation-token'] = page.text('NextContinuationToken');
      } while (query['continuation-token']);
    },

    sweepUnfinished: before => bucket.sweepUnfinished(before),

    async check() {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const body = Buffer.from('ok');
      await headOf(await bucket.send({ method: 'PUT', name: nameOf('.check'), body, signal }), 'PUT .check');
    },

    async identity() {
      const name = nameOf('.identity');
      const known = await read(name);
      if (known) return text(known.body);
      await putWhole(name, Buffer.from(randomBytes(32).toString('hex')), 'text/plain');
      // read back, because another process may have been faster
      const made = await read(name);
      if (!made) throw new Error('the identity of the store was written, but is not there');
      return text(made.body);
    },
  };
  return store;
}

/** Yields `first`, then `rest`, which it does not close when its consumer stops. */
async function* following<T>(first: T[], rest: AsyncIterator<T, undefined>): AsyncGenerator<T> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
