import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { FormData } from 'undici';
import { Uploaded } from '#lib/engines/comfyui/answers';
import type { JobInput } from '#lib/engines/engine';
import type { EngineHttp } from '#lib/engines/engine-http';
import { normalizeImage } from '#lib/media/inspect-media';
import { holdsMore } from '#lib/media/more-pictures';
import { inTemporaryFolder } from '#lib/process/temporary-folder';

/** Folder of ours among the files of a server. */
export const FOLDER = 'pomona';

/** Brings a file to the server; gives the name that its nodes take. */
export async function uploadToComfyui(
  { path, contentType }: JobInput,
  name: string,
  http: EngineHttp,
  signal: AbortSignal,
): Promise<string> {
  if (!(await holdsMore(path, contentType))) return send(path, contentType, name, http, signal);
  // a file that was kept before this was looked at: the server would decode every picture, however many
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
