import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Facts of a stored object. */
export interface StoredObject {
  bytes: number;
  contentType: string;
  /** Strong validator, quoted as in the ETag header. */
  etag: string;
}

export interface ByteRange {
  /** First byte, from 0. */
  start: number;
  /** Last byte, inclusive. */
  end: number;
}

/** A request with which the client itself uploads a file. */
export interface SignedPut {
  url: string;
  method: 'PUT';
  /** Headers that the request must carry exactly; the signature covers them. */
  headers: Record<string, string>;
}

/**
 * A store of immutable objects. Keys are `/`-separated, of lower-case ASCII letters, digits, `-`, `_` and `.`.
 * Errors: `AppError('not_found')` for a missing key, `AppError('precondition_failed')` for one that holds other bytes.
 */
export interface ByteStore {
  readonly id: 'local' | 's3' | 'gcs';
  /** Folder of the files; undefined when objects are not local files. */
  readonly folder?: string;
  /**
   * Streams `body` to the key, atomically, and durable once resolved. A key is written only once; writing the same
   * bytes again gives the same result as the first time. An error of the body (a limit, a broken connection) is
   * rethrown and leaves nothing behind. Each chunk is consumed before the next one is requested, so its memory may be
   * reused. `contentType` must be the type of the key's extension.
   */
  put(key: string, body: AsyncIterable<Uint8Array> | Uint8Array, contentType: string): Promise<StoredObject>;
  /** Returns the facts of an object; null when the key is missing. */
  head(key: string): Promise<StoredObject | null>;
  /** Streams the object, or a range of it. The caller must read the stream to its end or destroy it. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Opens the file of an object, which the caller must close; undefined when objects are not local files. */
  open?(key: string): Promise<FileHandle>;
  /** Makes the object available as a local file while the callback runs. */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Deletes an object; succeeds when the key is missing. */
  delete(key: string): Promise<void>;
  /** Lists the objects whose keys start with `prefix`. Consumers that share a list each get a part of the objects. */
  list(prefix: string): AsyncGenerator<ListedObject>;
  /** Removes the remains of puts from before `before` that a crash has cut off. Returns their number. */
  sweepUnfinished(before: Date): Promise<number>;
  /** Throws when the store is not writable. */
  check(): Promise<void>;
  /** Returns the random id that the store keeps since its first use: processes that read the same id share a store. */
  identity(): Promise<string>;
}

export interface ListedObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** How clients access stored objects: through this deployment, or at the store itself with signed URLs. */
export interface ClientAccess {
  /** Origin of the signed URLs when they lead to the store itself; null when they lead to this deployment. */
  readonly origin: string | null;
  /** Signs a PUT of at most `maxBytes` bytes of exactly `contentType`, valid until `expiresAt`. */
  signPut(key: string, options: { contentType: string; maxBytes: number; expiresAt: Date }): Promise<SignedPut>;
  /** Returns the `maxBytes` of a PUT; null if its signature is invalid. Undefined where the store answers PUTs. */
  verifyPut?(request: { path: string; query: string; header: (name: string) => string | null }): number | null;
  /**
   * Copies what a signed PUT uploaded to `key` to the key `as`, which no signed PUT can overwrite. Returns false when
   * `key` is missing. Undefined where this deployment answers PUTs.
   */
  accept?(key: string, as: string): Promise<boolean>;
  /** Signs a short-lived URL that answers with `headers`. Undefined where reads go through this deployment. */
  signGet?(key: string, options: { headers: AnswerHeaders; expiresAt: Date }): Promise<string>;
}

/** Response headers that a signed GET can set. */
export type AnswerHeaders = Record<'content-type' | 'content-disposition' | 'cache-control', string>;

/** Storage of this deployment's media. */
export interface Storage extends ByteStore, ClientAccess {
  /** Returns the permanent URL of a key, which needs no authentication. */
  url(key: string): string;
}
