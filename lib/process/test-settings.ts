import { SETTINGS } from '#lib/env';

/** Environment for programs run by tests: an empty setting counts as unset and hides its value in a developer's .env. */
export const UNSET: Record<string, string> = Object.fromEntries(Object.keys(SETTINGS).map(name => [name, '']));
