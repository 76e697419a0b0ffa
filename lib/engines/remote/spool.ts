import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { EngineError } from '#lib/engines/engine';
import { sniffOutput } from '#lib/engines/output-type';
import { SNIFF_BYTES } from '#lib/media/sniff';
import { makeTemporaryFolder, removeTemporaryFolder } from '#lib/process/temporary-folder';

/** A file that an engine sent and that was not collected yet. */
export class SpooledFile {
  readonly location: string;
  /** Type detected from the bytes; null when the file is no image, video or audio. */
  readonly contentType: string | null;

  constructor(location: string, contentType: string | null) {
    this.location = location;
    this.contentType = contentType;
  }
}

export const isSpooled = (location: string): boolean => location.startsWith('spooled:');

/** A file in the process of being written. */
export interface Draft {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<SpooledFile>;
  /** Deletes the file, unless it is finished. */
  drop(): Promise<void>;
}

/** Temporary files of one engine, which are deleted when it closes. */
export interface Spool {
  draft(): Promise<Draft>;
  /** Writes an entire body to a file. */
  take(body: AsyncIterable<Uint8Array>): Promise<SpooledFile>;
  holds(location: string): boolean;
  /** Opens a file for reading; it is deleted when the stream closes. */
  collect(location: string): Promise<Readable>;
  /** Deletes a file. Never rejects. */
  drop(location: string): Promise<void>;
  close(): Promise<void>;
}

export function createSpool(): Spool {
  // each file has a folder of its own: a shared one would be swept as a leftover after two days without new files
  const files = new Map<string, string>();

  async function drop(location: string): Promise<void> {
    const path = files.get(location);
    files.delete(location);
    if (path) await removeTemporaryFolder(dirname(path));
  }

  const spool: Spool = {
    async draft() {
      const location = `spooled:${randomUUID()}`;
      const path = join(await makeTemporaryFolder(), 'output');
      files.set(location, path);
      const handle = await open(path, 'wx', 0o600);
      return draftOf(handle, location, () => drop(location));
    },

    async take(body) {
      const draft = await spool.draft();
      try {
        for await (const chunk of body) await draft.write(chunk);
        return await draft.finish();
      } finally {
        await draft.drop();
      }
    },

    holds: location => files.has(location),

    async collect(location) {
      const path = files.get(location);
      if (!path) throw new EngineError('engine_error', 'the result is gone; it was collected before', true);
      const stream = createReadStream(path).once('close', () => void drop(location));
      await once(stream, 'ready');
      return stream;
    },

    drop,

    async close() {
      await Promise.all([...files.keys()].map(drop));
    },
  };
  return spool;
}

function draftOf(handle: FileHandle, location: string, remove: () => Promise<void>): Draft {
  let head = Buffer.alloc(0);
  let isOpen = true;
  return {
    async write(bytes) {
      if (head.length < SNIFF_BYTES) head = Buffer.concat([head, bytes.subarray(0, SNIFF_BYTES - head.length)]);
      await handle.write(bytes);
    },
    async finish() {
      await handle.close();
      isOpen = false;
      return new SpooledFile(location, sniffOutput(head));
    },
    async drop() {
      if (!isOpen) return;
      isOpen = false;
      await handle.close();
      await remove();
    },
  };
}
