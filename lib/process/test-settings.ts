import { SETTINGS } from '#lib/env';

/** For programs that tests run: what somebody has in .env is not for them, and a setting that is there and empty counts as unset. */
export const UNSET: Record<string, string> = Object.fromEntries(Object.keys(SETTINGS).map(name => [name, '']));
