import type { RequestWire } from '#lib/contract/schemas';

const ENDS: Record<string, string> = { 'image/png': 'png', 'video/mp4': 'mp4', 'audio/mpeg': 'mp3' };

/** The words of a prompt as the name of a file, without its end. */
export function baseName(prompt: string): string {
  const words = prompt.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return /^.{1,60}/u.exec(words)?.[0] ?? 'pomona';
}

/** What a result is called when it is saved. */
export const fileName = ({ prompt, result }: Pick<RequestWire, 'prompt' | 'result'>): string =>
  `${baseName(prompt)}.${ENDS[result?.content_type ?? ''] ?? 'bin'}`;
