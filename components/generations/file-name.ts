import type { RequestWire } from '#lib/contract/schemas';

const ENDS: Record<string, string> = { 'image/png': 'png', 'video/mp4': 'mp4', 'audio/mpeg': 'mp3' };

/** What a result is called when it is saved: the words of its prompt. */
export function fileName({ prompt, result }: Pick<RequestWire, 'prompt' | 'result'>): string {
  const words = prompt.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return `${words.slice(0, 60) || 'pomona'}.${ENDS[result?.content_type ?? ''] ?? 'bin'}`;
}
