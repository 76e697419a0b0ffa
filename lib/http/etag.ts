import { createHash } from 'node:crypto';

/** A strong validator of a JSON body. */
export const etagOf = (body: unknown): string =>
  `"${createHash('sha1').update(JSON.stringify(body)).digest('base64url')}"`;
