import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { noted } from '#lib/http/noted';
import type { ByteRange } from '#lib/storage/storage';

interface FilePart {
  open: () => Promise<FileHandle>;
  range: ByteRange;
}

const CHUNK = 256 * 1024;
/** Maximum number of buffers kept for reuse. A new buffer per chunk makes the garbage collector walk the whole heap. */
const SPARE = 32;
const spare: Buffer[] = [];

const parts = noted<Response, FilePart>('part');

/** Returns a response with part of a file, for `sendFile` to write. Other servers read the body, which opens it. */
export function fileResponse(part: FilePart, init: ResponseInit): Response {
  const response = new Response(NodeStream.from(chunksOf(part)) as ReadableStream<Uint8Array>, init);
  parts.set(response, part);
  return response;
}

/** Writes a response of `fileResponse` with two buffers for all chunks. Returns false, without effect, for others. */
export async function sendFile(response: Response, outgoing: ServerResponse): Promise<boolean> {
  const part = parts.get(response);
  if (!part) return false;
  const file = await part.open();
  try {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    await write(file, part.range, outgoing);
  } catch (error) {
    // the content length was sent already, so the response cannot be completed
    outgoing.destroy();
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

async function write(file: FileHandle, { start, end }: ByteRange, outgoing: ServerResponse): Promise<void> {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  outgoing.once('close', close);
  const buffers = [0, 1].map(() => spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK));
  let sent = Promise.resolve();
  for (let at = start, turn = 0; at <= end && !outgoing.destroyed; turn = 1 - turn) {
    // one buffer is filled while the other is sent
    const { buffer, bytesRead } = await file.read(buffers[turn]!, 0, Math.min(CHUNK, end + 1 - at), at);
    if (bytesRead === 0) throw new Error('a file became shorter while it was sent');
    await sent;
    const written = new Promise<void>(resolve => outgoing.write(buffer.subarray(0, bytesRead), () => resolve()));
    sent = Promise.race([written, closed]);
    at += bytesRead;
  }
  await sent;
  if (outgoing.destroyed) return;
  // buffers of a broken connection are not reused, because they may still be in use
  if (spare.length < SPARE) spare.push(...buffers);
  const finished = new Promise<void>(resolve => outgoing.end(resolve));
  await Promise.race([finished, closed]);
}

async function* chunksOf({ open, range }: FilePart): AsyncGenerator<Uint8Array> {
  const file = await open();
  yield* file.createReadStream({ ...range, highWaterMark: CHUNK });
}
