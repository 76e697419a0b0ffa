import type { Engine } from '#lib/engines/engine';
import { engines } from '#lib/engines/engines';
import type { EngineEntry, ServerEntry } from '#lib/engines/engines-file';
import { hostedAt } from '#lib/engines/hosted';
import { unseal } from '#lib/engines/sealed';
import type { Server } from '#lib/engines/server';
import { PREVIEW } from '#lib/engines/serving';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

interface Made {
  /** Serialised configuration; the engine is replaced when it changes. */
  recipe: string;
  engine: Promise<Engine>;
  /** Number of calls in progress. */
  uses: number;
  /** Whether a newer engine has taken its place, or its server is no longer configured. */
  replaced: boolean;
}

type Work<T> = (engine: Engine) => Promise<T>;

const made = () => singleton('engines.made', () => new Map<string, Made>());

/** Returns the id of a server that is unique in the deployment: `<engine>/<server>`. */
export const serverId = (entry: EngineEntry, server: ServerEntry): string => `${entry.id}/${server.id}`;

/** Whether a server holds one model in memory and takes time to load another. Hosted services never do. */
export const loadsModels = ({ loads }: EngineEntry, { url }: ServerEntry): boolean => loads && !hostedAt(url);

/**
 * Runs `work` with the current connector of a server. The connector stays open until `work` ends, even when it is
 * replaced meanwhile. Rejects when the server's secret cannot be read.
 */
export const use = <T>(entry: EngineEntry, server: ServerEntry, work: Work<T>): Promise<T> =>
  using(madeFor(entry, server), work);

/** Runs `work` with the preview engine of this process, whose code is loaded on first use. */
export const usePreview = <T>(work: Work<T>): Promise<T> =>
  using(
    remember(PREVIEW, PREVIEW, async () => {
      const { createPreviewEngine } = await import('#preview-engine/engine');
      return createPreviewEngine({ concurrency: env().WORKER_CONCURRENCY });
    }),
    work,
  );

function madeFor(entry: EngineEntry, server: ServerEntry): Made {
  const { type, options } = entry;
  return remember(serverId(entry, server), JSON.stringify([type, options, server, entry.serves()]), async () =>
    entry.create({
      id: serverId(entry, server),
      url: server.url,
      ...(server.secret && { secret: unseal(server.secret) }),
    }),
  );
}

function remember(id: string, recipe: string, make: () => Promise<Engine>): Made {
  const known = made().get(id);
  if (known?.recipe === recipe) return known;
  if (known) letGo(id, known);
  const one: Made = { recipe, engine: make(), uses: 0, replaced: false };
  made().set(id, one);
  // a failure is not cached: the next use tries again
  one.engine.catch(() => made().get(id) === one && made().delete(id));
  return one;
}

/** Closes the connectors of servers that are no longer configured. */
export function letGoOthers(named: readonly string[]): void {
  const kept = new Set([PREVIEW, ...named]);
  for (const [id, one] of made()) if (!kept.has(id)) letGo(id, one);
}

function letGo(id: string, one: Made): void {
  made().delete(id);
  one.replaced = true;
  void closeUnused(one);
}

async function using<T>(one: Made, work: Work<T>): Promise<T> {
  one.uses += 1;
  try {
    return await work(await one.engine);
  } finally {
    one.uses -= 1;
    await closeUnused(one);
  }
}

/** Finds a configured server by its id; null when it was removed, or belongs to another process. */
export function findServer(id: string): Pick<Server, 'use'> | null {
  for (const entry of engines())
    for (const server of entry.servers)
      if (serverId(entry, server) === id) return { use: work => use(entry, server, work) };
  return null;
}

/** Closes all engines, before the process stops. */
export async function closeEngines(): Promise<void> {
  await Promise.all([...made().values()].map(close));
}

/** Closes a replaced engine once it is idle; closing it earlier would lose its running jobs. */
async function closeUnused(one: Made): Promise<void> {
  if (one.replaced && one.uses === 0) await close(one);
}

async function close({ engine }: Made): Promise<void> {
  try {
    await (await engine).close?.();
  } catch (error) {
    log().warn({ reason: (error as Error).message }, 'engine not closed');
  }
}
