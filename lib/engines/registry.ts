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
  /** What it was made of; another one takes its place when that changes. */
  recipe: string;
  engine: Promise<Engine>;
  /** How much is being done with it. */
  uses: number;
  /** Another one is in its place, or nobody names its server any more. */
  replaced: boolean;
}

type Work<T> = (engine: Engine) => Promise<T>;

const made = () => singleton('engines.made', () => new Map<string, Made>());

/** Engine and server. */
export const serverId = (entry: EngineEntry, server: ServerEntry): string => `${entry.id}/${server.id}`;

/** Whether it has one model in memory and takes its time for another; a service has machines enough for all. */
export const loadsModels = ({ loads }: EngineEntry, { url }: ServerEntry): boolean => loads && !hostedAt(url);

/**
 * Works with the connector of a server, as this process has it now: while it does, that is not closed although another one takes its
 * place. Rejects when its secret cannot be had.
 */
export const use = <T>(entry: EngineEntry, server: ServerEntry, work: Work<T>): Promise<T> =>
  using(madeFor(entry, server), work);

/** The preview engine of this process; its code is loaded when it first has something to do. */
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
  // one that cannot be made is tried again
  one.engine.catch(() => made().get(id) === one && made().delete(id));
  return one;
}

/** Lets go of the connectors of servers that no engine names any more. */
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

/** A server of any engine by its id; null for one that is gone, or lives in another process. */
export function findServer(id: string): Pick<Server, 'use'> | null {
  for (const entry of engines())
    for (const server of entry.servers)
      if (serverId(entry, server) === id) return { use: work => use(entry, server, work) };
  return null;
}

/** Lets go of what the engines hold, for a process that stops. */
export async function closeEngines(): Promise<void> {
  await Promise.all([...made().values()].map(close));
}

/** What it is making would be lost with it, and paid for again. */
async function closeUnused(one: Made): Promise<void> {
  if (one.replaced && one.uses === 0) await close(one);
}

async function close({ engine }: Made): Promise<void> {
  try {
    await (await engine).close?.();
  } catch (error) {
    log().warn({ reason: (error as Error).message }, 'an engine was not closed');
  }
}
