import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { storage } from '#lib/storage/store';

/** Has the store refuse every file with `error`, until it is restored. As a store does, it leaves no file open that it was given. */
export const refusePuts = (error: Error) =>
  vi.spyOn(storage(), 'put').mockImplementation(async (_key, body) => {
    if (body instanceof Readable) body.on('error', () => {}).destroy();
    throw error;
  });
