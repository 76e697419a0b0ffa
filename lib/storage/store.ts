import { join } from 'node:path';
import { env } from '#lib/env';
import { secret } from '#lib/secrets';
import { singleton } from '#lib/singleton';
import { createLocalStorage } from '#lib/storage/local';
import type { Storage } from '#lib/storage/storage';

/** Where this deployment keeps its media. */
export const storage = (): Storage =>
  singleton('storage', () =>
    createLocalStorage({
      dir: join(env().DATA_DIR, 'media'),
      baseUrl: env().BASE_URL,
      mediaUrl: env().MEDIA_URL,
      secret: secret('media'),
    }),
  );
