import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { FormData } from 'undici';
import { Uploaded } from '#lib/engines/comfyui/answers';
import type { JobInput } from '#lib/engines/engine';
import type { EngineHttp } from '#lib/engines/engine-http';
import { normalizeImage } from '#lib/media/inspect-media';
import { holdsMore } from '#lib/media/more-pictures';
import { inTemporaryFolder } from '#lib/process/temporary-folder';

/** Folder for Pomona's files on a server. */
export const FOLDER = 'pomona';

/** Uploads a file to the server; returns the name by which nodes refer to it. */
export async function uploadToComfyui(
  { path, contentType }: JobInput,
  name: string,
  http: EngineHttp,
  signal: AbortSignal,
): Promise<string> {
  if (!(await holdsMore(path, contentType))) return send(path, contentType, name, http, signal);
  // files stored before uploads were checked may hold many frames, all of which the server would decode
  return inTemporaryFolder(async folder => {
    const clean = join(folder, 'clean');
    const { contentType: type } = await normalizeImage(path, clean);
    return send(clean, type, name, http, signal);
  });
}

async function send(
  path: string,
  contentType: string,
  name: string,
  http: EngineHttp,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  form.set('image', await openAsBlob(path, { type: contentType }), name);
  for (const [key, value] of Object.entries({ type: 'input', subfolder: FOLDER, overwrite: 'true' }))
    form.set(key, value);
  const uploaded = await http.json(Uploaded, 'POST', '/upload/image', { form, signal });
  return [uploaded.subfolder, uploaded.name].filter(Boolean).join('/');
}
