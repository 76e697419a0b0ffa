import type { Engine } from '#lib/engines/engine';
import type { Server } from '#lib/engines/server';
import { PREVIEW } from '#lib/engines/serving';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';

/** The servers that this worker process can give work to. */
export function serversFor(worker: string): Server[] {
  return [
    {
      id: `${PREVIEW}/${worker}`,
      engine: PREVIEW,
      places: env().WORKER_CONCURRENCY,
      shared: false,
      lines: [PREVIEW],
      connect: () => getEngine(PREVIEW),
    },
  ];
}

/** A server that any worker can talk to; null for one that is gone, or lives in another process. */
export function findServer(_id: string): Server | null {
  return null;
}

/** How each engine is made; its code is loaded when it first has something to do. */
const ENGINES: Record<string, () => Promise<Engine>> = {
  [PREVIEW]: async () => {
    const { createPreviewEngine } = await import('#preview-engine/engine');
    return createPreviewEngine({ concurrency: env().WORKER_CONCURRENCY });
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
