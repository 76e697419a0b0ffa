import type { Architecture } from '#lib/catalog/architecture';
import { createBuiltinEngine } from '#lib/engines/builtin/engine';
import type { Engine } from '#lib/engines/engine';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';
import { temporaryFolder } from '#lib/temporary-folder';

const BUILTIN = 'builtin';

/** The id of the engine that serves an architecture. */
export const engineOf = (_architecture: Pick<Architecture, 'id'>): string => BUILTIN;

/** Every engine of this deployment. */
export const engineIds = (): string[] => [BUILTIN];

export function getEngine(id: string): Engine {
  const engine = engines().get(id);
  if (!engine) throw new Error(`no engine is called ${id}`);
  return engine;
}

const engines = () =>
  singleton('engines', () => {
    const builtin = createBuiltinEngine({ concurrency: env().WORKER_CONCURRENCY, tempDir: temporaryFolder() });
    return new Map<string, Engine>([[BUILTIN, builtin]]);
  });

/** Lets go of what the engines hold, for a process that stops. */
export async function closeEngines(): Promise<void> {
  for (const engine of engines().values()) await engine.close?.();
}
