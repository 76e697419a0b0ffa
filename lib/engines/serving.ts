import type { Architecture } from '#lib/catalog/catalog-file';

/** The preview engine: serves what no other engine does. */
export const BUILTIN = 'builtin';

/** Every engine of this deployment. */
export const engineIds = (): string[] => [BUILTIN];

/** The id of the engine that serves an architecture. */
export const engineOf = (_architecture: Pick<Architecture, 'id'>): string => BUILTIN;
