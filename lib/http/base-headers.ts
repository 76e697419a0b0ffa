import { env } from '#lib/env';

/** What every answer carries, of a page, of the API or of a file. */
export const baseHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  ...(env().BASE_URL.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});
