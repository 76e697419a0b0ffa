import type { Engine } from '#lib/engines/engine';
import { BUILTIN } from '#lib/engines/serving';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';

/** How each engine is made; its code is loaded when it first has something to do. */
const ENGINES: Record<string, () => Promise<Engine>> = {
  [BUILTIN]: async () => {
    const { createBuiltinEngine } = await import('#preview-engine/engine');
    return createBuiltinEngine({ concurrency: env().WORKER_CONCURRENCY });
  },
};

/** The engine of that id, as this process uses it. */
export async function getEngine(id: string): Promise<Engine> {
  const made = engines().get(id) ?? ENGINES[id]?.();
  if (!made) throw new Error(`no engine is called ${id}`);
  engines().set(id, made);
  return await made;
}

/** Lets go of what the engines hold, for a process that stops. */
export async function closeEngines(): Promise<void> {
  for (const engine of engines().values()) await (await engine).close?.();
}

const engines = () => singleton('engines', () => new Map<string, Promise<Engine>>());
