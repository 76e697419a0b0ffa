import type { Engine } from '#lib/engines/engine';
import { engines } from '#lib/engines/engines';
import type { EngineEntry, ServerEntry } from '#lib/engines/engines-file';
import { unseal } from '#lib/engines/sealed';
import { PREVIEW } from '#lib/engines/serving';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

interface Made {
  /** What it was made of; another one takes its place when that changes. */
  recipe: string;
  engine: Promise<Engine>;
}

const made = () => singleton('engines.made', () => new Map<string, Made>());

/** Engine and server. */
export const serverId = (entry: EngineEntry, server: ServerEntry): string => `${entry.id}/${server.id}`;

/** The connector of a server, as this process uses it. Rejects when its secret cannot be had. */
export function connect(entry: EngineEntry, server: ServerEntry): Promise<Engine> {
  const { type, options } = entry;
  return remember(serverId(entry, server), JSON.stringify([type, options, server, entry.serves()]), async () =>
    entry.create({
      id: serverId(entry, server),
      url: server.url,
      ...(server.secret && { secret: unseal(server.secret) }),
    }),
  );
}

/** The preview engine of this process; its code is loaded when it first has something to do. */
export const connectPreview = (): Promise<Engine> =>
  remember(PREVIEW, PREVIEW, async () => {
    const { createPreviewEngine } = await import('#preview-engine/engine');
    return createPreviewEngine({ concurrency: env().WORKER_CONCURRENCY });
  });

function remember(id: string, recipe: string, make: () => Promise<Engine>): Promise<Engine> {
  const known = made().get(id);
  if (known?.recipe === recipe) return known.engine;
  const engine = make();
  made().set(id, { recipe, engine });
  // one that cannot be made is tried again
  engine.catch(() => made().delete(id));
  if (known) void close(known);
  return engine;
}

/** A server of any engine by its id; null for one that is gone, or lives in another process. */
export function findServer(id: string): { connect(): Promise<Engine> } | null {
  for (const entry of engines())
    for (const server of entry.servers)
      if (serverId(entry, server) === id) return { connect: () => connect(entry, server) };
  return null;
}

/** Lets go of what the engines hold, for a process that stops. */
export async function closeEngines(): Promise<void> {
  await Promise.all([...made().values()].map(close));
}

async function close({ engine }: Made): Promise<void> {
  try {
    await (await engine).close?.();
  } catch (error) {
    log().warn({ reason: (error as Error).message }, 'an engine was not closed');
  }
}
