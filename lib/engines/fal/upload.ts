import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Agent } from 'undici';
import { z } from 'zod';
import { EngineError } from '#lib/engines/engine';
import { createEngineHttp, type EngineHttp } from '#lib/engines/engine-http';
import type { BodyValue, InputFile } from '#lib/engines/parameters';
import { fileName, isInline } from '#lib/engines/remote/request-body';
import { guardedAgent } from '#lib/media/guarded-agent';
import { checkRemoteAddress } from '#lib/media/remote-address';
import { UnusableMedia } from '#lib/media/unusable-media';

const Ticket = z.object({ upload_url: z.url({ protocol: /^https?$/ }), file_url: z.url() });

/** Files are used and results downloaded immediately, so fal need not keep them longer than a day. */
export const LIFETIME = JSON.stringify({ expiration_duration_seconds: 86_400 });

const CONNECT_MS = 30_000;

/**
 * Uploads a file to fal and returns its URL; a file that is sent inside the request is returned unchanged. fal names
 * the upload address, which must be at one of `origins` or on the public internet.
 */
export async function uploadToFal(file: InputFile, rest: EngineHttp, origins: readonly string[]): Promise<BodyValue> {
  const { path, contentType } = file.input;
  const { size } = await stat(path);
  if (isInline(file, size)) return file;
  const { upload_url, file_url } = await rest.json(Ticket, 'POST', '/storage/upload/initiate', {
    query: { storage_type: 'fal-cdn-v3' },
    headers: { 'x-fal-object-lifecycle': LIFETIME },
    json: { content_type: contentType, file_name: fileName(file) },
  });
  const { origin, pathname, search } = new URL(upload_url);
  // the signed URL carries its own permission, so the secret is not sent
  const agent = origins.includes(origin) ? undefined : await agentFor(upload_url);
  const store = createEngineHttp({ id: 'uploads', url: origin }, { agent });
  try {
    const headers = { 'content-type': contentType, 'content-length': String(size) };
    const { body } = await store.call('PUT', `${pathname}${search}`, { headers, body: createReadStream(path) });
    body.resume();
    return file_url;
  } finally {
    await store.close();
  }
}

async function agentFor(address: string): Promise<Agent> {
  try {
    const signal = AbortSignal.timeout(CONNECT_MS);
    return await guardedAgent(checkRemoteAddress(address), { timeoutMs: CONNECT_MS, signal });
  } catch (cause) {
    const why = cause instanceof UnusableMedia ? cause.message : 'Its address was not found in time.';
    throw new EngineError('engine_error', `a file was not uploaded to ${new URL(address).host}: ${why}`, true, {
      cause,
    });
  }
}
