import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { storage } from '#lib/storage/store';

/** Makes every `put` fail with `error` until the mock is restored. Like a store, the mock closes the given stream. */
export const refusePuts = (error: Error) =>
  vi.spyOn(storage(), 'put').mockImplementation(async (_key, body) => {
    if (body instanceof Readable) body.on('error', () => {}).destroy();
    throw error;
  });
