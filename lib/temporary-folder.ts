import { join } from 'node:path';
import { env } from '#lib/env';

/** Where work in progress lies; what a crash leaves there is swept. */
export const temporaryFolder = (): string => join(env().DATA_DIR, 'tmp');
