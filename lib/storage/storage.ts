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

/** A request that the client itself makes to bring a file in. */
export interface SignedPut {
  url: string;
  method: 'PUT';
  /** To be carried exactly; part of the signature. */
  headers: Record<string, string>;
}

/**
 * Where bytes lie. Keys are `/`-separated, lower-case ASCII letters, digits, `-`, `_`, `.`.
 * Errors: `AppError('not_found')` for a missing key, `AppError('precondition_failed')` for a key that holds other bytes.
 */
export interface ByteStore {
  readonly id: 'local' | 's3' | 'gcs';
  /** Where the files lie; absent where objects are no files. */
  readonly folder?: string;
  /**
   * Streams `body` to the key: whole or not at all, durable once resolved. A key is written once; the same bytes again are
   * answered as the first time. An error of the body (a limit, a broken connection) is passed on and leaves nothing behind. A
   * chunk of it is taken over before the next one is asked for. The type must be the one that the key's extension stands for.
   */
  put(key: string, body: AsyncIterable<Uint8Array> | Uint8Array, contentType: string): Promise<StoredObject>;
  /** Null when the key is missing. */
  head(key: string): Promise<StoredObject | null>;
  /** The object's bytes, or those of `range`. The caller reads to the end or destroys the stream. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** The file that the object is, to be closed by the caller; absent where objects are no files. */
  open?(key: string): Promise<FileHandle>;
  /** Makes the object readable as a local file for as long as the callback runs. */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Nothing happens when the key is missing. */
  delete(key: string): Promise<void>;
  /** Keys below a prefix. Several may take from one list: each object goes to one of them. */
  list(prefix: string): AsyncGenerator<ListedObject>;
  /** Removes what puts that were cut off by a crash before `before` left behind; says how many. */
  sweepUnfinished(before: Date): Promise<number>;
  /** Throws when the store cannot be written. */
  check(): Promise<void>;
  /** A random id that the store keeps from its first use on: two processes that read the same one share a store. */
  identity(): Promise<string>;
}

export interface ListedObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** How clients reach what is stored: over this deployment, or at the store itself with addresses that are signed for them. */
export interface ClientAccess {
  /** Origin of the signed addresses, when it is the store's own. */
  readonly origin: string | null;
  /** A signed PUT of at most `maxBytes` of exactly `contentType`, valid until `expiresAt`. */
  signPut(key: string, options: { contentType: string; maxBytes: number; expiresAt: Date }): Promise<SignedPut>;
  /** The most bytes that a signed PUT may bring, or null when it is not one; absent where the store answers PUTs itself. */
  verifyPut?(request: { path: string; query: string; header: (name: string) => string | null }): number | null;
  /**
   * Keeps what a signed PUT brought to `key` under another key too, which no PUT reaches. False when nothing is there; absent
   * where this deployment answers PUTs.
   */
  accept?(key: string, as: string): Promise<boolean>;
  /** A short-lived address of the object's bytes, which answers with these headers; absent where they are read through this deployment. */
  signGet?(key: string, options: { headers: AnswerHeaders; expiresAt: Date }): Promise<string>;
}

/** What a signed GET may say of itself. */
export type AnswerHeaders = Record<'content-type' | 'content-disposition' | 'cache-control', string>;

/** Where this deployment's media live. */
export interface Storage extends ByteStore, ClientAccess {
  /** The lasting address anyone can GET the key at. */
  url(key: string): string;
}
