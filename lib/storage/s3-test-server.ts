import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { statIfThere } from '#lib/storage/folder';
import { parseStorageUrl, type S3Location } from '#lib/storage-url';

interface Context {
  method: string;
  path: string;
  query: Record<string, string | undefined>;
  headers: Record<string, string | undefined>;
  status: number;
  body: unknown;
  req: IncomingMessage;
  set(header: string, value: string): void;
}

type Step = (context: Context, next: () => Promise<void>) => Promise<void>;

/** Type of the s3rver package, a Koa app without type declarations. */
interface S3rver {
  middleware: Step[];
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rver;

/** Credentials that the server accepts. */
export const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/**
 * Starts an S3 server that checks signatures. Middleware adds what it lacks compared to real stores: it refuses
 * unsigned requests, supports If-None-Match and ranges of the first byte, lists and aborts unfinished uploads, and
 * simulates outages and lost responses.
 */
export async function startS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 'pomona-s3-'));
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, vhostBuckets: false });
  const outage = { requests: 0, status: 503 };
  const lost = { answers: 0, isWritten: true };
  const asked: (string | undefined)[] = [];
  server.middleware.unshift(
    noteUploads(asked),
    outOfOrder(outage),
    refuseAnonymous,
    endOnce(lost),
    firstByte,
    unfinishedUploads(directory),
    createOnly(directory),
  );
  const { port } = await server.run();
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    /** Creates an empty bucket, and returns its address. */
    async makeBucket(): Promise<string> {
      const name = `b-${randomUUID()}`;
      await mkdir(join(directory, name));
      return `s3://${name}/media?endpoint=${origin}`;
    },
    /** Makes the next requests fail with this status. */
    failNext: (requests: number, status = 503) => Object.assign(outage, { requests, status }),
    /** Loses the response to the next completion of a multipart upload, which takes effect only if `isWritten`. */
    loseEnd: (isWritten: boolean) => Object.assign(lost, { answers: 1, isWritten }),
    /** Returns the requests to multipart uploads since the last call: the MD5 of parts, the method of others. */
    takeAsked: () => asked.splice(0),
    close: () => server.close(),
  };
}

export const locationOf = (address: string): S3Location => parseStorageUrl(address) as S3Location;

function answer(context: Context, status: number, code: string): void {
  context.status = status;
  context.body = `<Error><Code>${code}</Code><Message>as a real store says</Message></Error>`;
}

const outOfOrder =
  (outage: { requests: number; status: number }): Step =>
  async (context, next) => {
    if (outage.requests === 0) return next();
    outage.requests--;
    context.set('Retry-After', '0');
    answer(context, outage.status, 'SlowDown');
  };

const refuseAnonymous: Step = async (context, next) =>
  context.headers.authorization || context.query['X-Amz-Signature'] ? next() : answer(context, 403, 'AccessDenied');

/** Answers 404 for a multipart upload that has ended, and simulates lost responses to completions. */
function endOnce(lost: { answers: number; isWritten: boolean }): Step {
  const ended = new Set<string>();
  return async (context, next) => {
    const { uploadId } = context.query;
    if (!uploadId || context.method === 'PUT') return next();
    if (ended.has(uploadId)) return answer(context, 404, 'NoSuchUpload');
    const isLost = context.method === 'POST' && lost.answers > 0;
    if (!isLost || lost.isWritten) await next();
    if (context.status >= 300 && !isLost) return;
    ended.add(uploadId);
    if (!isLost) return;
    lost.answers--;
    context.req.socket.destroy();
  };
}

/** Records the digests of parts, which s3rver does not check. */
const noteUploads =
  (asked: (string | undefined)[]): Step =>
  ({ query, method, headers }, next) => {
    if (query.uploadId) asked.push(query.partNumber ? headers['content-md5'] : method);
    return next();
  };

/** Handles the range of the first byte, which s3rver takes for a range without an end. */
const firstByte: Step = async (context, next) => {
  if (context.headers.range !== 'bytes=0-0') return next();
  delete context.headers.range;
  await next();
  const body = await buffer(context.body as Readable);
  context.status = 206;
  context.set('Content-Range', `bytes 0-0/${body.length}`);
  context.body = body.subarray(0, 1);
};

/** Lists and aborts unfinished uploads: s3rver checks the signatures of such requests, but does not implement them. */
const unfinishedUploads =
  (directory: string): Step =>
  async (context, next) => {
    const { method, path, query } = context;
    const folder = join(directory, path.split('/')[1] ?? '', '._S3rver_uploads');
    try {
      await next();
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'NotImplemented' && method === 'GET' && query.uploads !== undefined) {
        context.status = 200;
        context.body = await listUploads(folder, query.prefix ?? '', query['upload-id-marker'] ?? '');
      } else if (code === 'MethodNotAllowed' && method === 'DELETE' && query.uploadId) {
        await rm(join(folder, query.uploadId), { recursive: true });
        context.status = 204;
      } else throw error;
    }
  };

/** Lists unfinished uploads, one on each page, so that lists have several pages. */
async function listUploads(folder: string, prefix: string, after: string): Promise<string> {
  const ids = (await statIfThere(folder)) ? await readdir(folder) : [];
  const left = ids.toSorted().filter(id => id > after);
  const uploads = await Promise.all(
    left.slice(0, 1).map(async id => {
      const path = join(folder, id, 'key');
      const key = await readFile(path, 'utf8');
      const begun = (await statIfThere(path))!.mtime.toISOString();
      const upload = `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`;
      return key.startsWith(prefix) ? upload : '';
    }),
  );
  const next = `<IsTruncated>${left.length > 1}</IsTruncated><NextUploadIdMarker>${left[0]}</NextUploadIdMarker>`;
  return `<ListMultipartUploadsResult>${next}${uploads.join('')}</ListMultipartUploadsResult>`;
}

/** Implements If-None-Match: serialises writes of a name, and refuses them when it is taken. */
function createOnly(directory: string): Step {
  const writing = new Map<string, Promise<void>>();
  return async (context, next) => {
    if (context.headers['if-none-match'] !== '*' || !['PUT', 'POST'].includes(context.method)) return next();
    const object = join(directory, `${context.path}._S3rver_object`);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const before = writing.get(object);
    writing.set(object, done);
    await before;
    try {
      if (await statIfThere(object)) answer(context, 412, 'PreconditionFailed');
      else await next();
    } finally {
      resolve();
    }
  };
}
