import { parseDataUrl } from '#lib/media/data-url';
import { isLive, type MediaRow } from '#lib/media/find-media';
import { checkRemoteAddress } from '#lib/media/remote-address';
import { NO_FILE, UnusableMedia } from '#lib/media/unusable-media';
import { adoptUpload } from '#lib/uploads/adopt-upload';
import { findStoredMedia } from '#lib/uploads/find-stored-media';
import { isOwnAddress, keyOfUrl } from '#lib/uploads/key-of-url';
import { MAX_UPLOAD_BYTES } from '#lib/uploads/upload-ticket';

/** A media field's value: a file of the account, the bytes of a data URL, or an https address that may be fetched. */
export type MediaValue = { row: MediaRow } | { bytes: Buffer } | { remote: string };

/** Reads a media field's value. Files of this deployment are never fetched but looked up, to check their owner. */
export async function readMediaValue(accountId: string, value: unknown): Promise<MediaValue> {
  const address = typeof value === 'string' ? value.trimStart() : '';
  if (!address) throw new UnusableMedia('It must be an https URL, an upload URL or a data URL.');
  if (/^data:/i.test(address)) return { bytes: parseDataUrl(address, MAX_UPLOAD_BYTES) };
  if (!isOwnAddress(address)) return { remote: checkRemoteAddress(address).href };
  const key = keyOfUrl(address);
  const row = key ? await findStoredMedia(key, adoptUpload) : null;
  if (row && row.accountId === accountId && isLive(row)) return { row };
  throw new UnusableMedia(NO_FILE);
}
