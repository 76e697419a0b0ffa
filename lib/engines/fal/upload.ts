import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { createEngineHttp, type EngineHttp } from '#lib/engines/engine-http';
import type { BodyValue, InputFile } from '#lib/engines/parameters';
import { fileName, isInline } from '#lib/engines/remote/request-body';

const Ticket = z.object({ upload_url: z.url({ protocol: /^https?$/ }), file_url: z.url() });

/** Puts a larger file where models of fal can read it, and answers its address; one that travels in the request stays as it is. */
export async function uploadToFal(file: InputFile, rest: EngineHttp): Promise<BodyValue> {
  const { path, contentType } = file.input;
  const { size } = await stat(path);
  if (isInline(file, size)) return file;
  const { upload_url, file_url } = await rest.json(Ticket, 'POST', '/storage/upload/initiate', {
    query: { storage_type: 'fal-cdn-v3' },
    json: { content_type: contentType, file_name: fileName(file) },
  });
  const { origin, pathname, search } = new URL(upload_url);
  // the address carries its own permission: the secret stays at home
  const store = createEngineHttp({ id: 'uploads', url: origin });
  try {
    const headers = { 'content-type': contentType, 'content-length': String(size) };
    const { body } = await store.call('PUT', `${pathname}${search}`, { headers, body: createReadStream(path) });
    body.resume();
    return file_url;
  } finally {
    await store.close();
  }
}
