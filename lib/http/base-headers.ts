import { env } from '#lib/env';

/** Returns the headers of every response, whether a page, an API answer or a file. */
export const baseHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  ...(env().BASE_URL.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});
