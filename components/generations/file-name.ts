import { nameOf } from '#components/generations/name-of';
import type { RequestWire } from '#lib/contract/schemas';

const ENDS: Record<string, string> = { 'image/png': 'png', 'video/mp4': 'mp4', 'audio/mpeg': 'mp3' };

/** Returns a file name without extension, made of the words of a prompt or a title. */
export function baseName(title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return /^.{1,60}/u.exec(words)?.[0] ?? 'pomona';
}

/** Returns the file name under which a result is saved. */
export const fileName = (request: Pick<RequestWire, 'prompt' | 'run' | 'result'>): string =>
  `${baseName(nameOf(request))}.${ENDS[request.result?.content_type ?? ''] ?? 'bin'}`;
