import { createBuiltinEngine } from '#lib/engines/builtin/engine';
import type { Engine } from '#lib/engines/engine';
import { BUILTIN } from '#lib/engines/serving';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';

/** The engine of that id, as this process uses it. */
export function getEngine(id: string): Engine {
  const engine = engines().get(id);
  if (!engine) throw new Error(`no engine is called ${id}`);
  return engine;
}

/** Lets go of what the engines hold, for a process that stops. */
export async function closeEngines(): Promise<void> {
  for (const engine of engines().values()) await engine.close?.();
}

const engines = () =>
  singleton('engines', () => {
    const builtin = createBuiltinEngine({ concurrency: env().WORKER_CONCURRENCY });
    return new Map<string, Engine>([[BUILTIN, builtin]]);
  });
