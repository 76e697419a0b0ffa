import type { Server } from '#lib/engines/server';

/** A request that nobody holds, among the first of its line. */
export interface Waiting {
  id: string;
  line: string;
  /** The order of those that wait. */
  turnAt: Date;
  waitsSince: Date;
  /** The server where an earlier holder left its job, to be found there again. */
  heldBy: string | null;
}

export interface Placed {
  id: string;
  engine: string;
  server: string;
  /** Places of a server that several workers give work; null where they need not be counted. */
  places: number | null;
}

/**
 * Which request goes to which server: in the order of the requests, each to the server with the most room of those that serve
 * its line. Pure. `free` has the places that are free on each server.
 */
export function place(
  servers: readonly Server[],
  free: ReadonlyMap<string, number>,
  waiting: readonly Waiting[],
): Placed[] {
  const room = new Map(free);
  const inOrder = waiting.toSorted((a, b) => a.turnAt.getTime() - b.turnAt.getTime() || (a.id < b.id ? -1 : 1));
  return inOrder.flatMap(request => {
    const holder = servers.find(({ id }) => id === request.heldBy);
    // it has its place there already
    if (holder) return [{ id: request.id, engine: holder.engine, server: holder.id, places: null }];
    const roomiest = servers
      .filter(({ id, lines }) => (room.get(id) ?? 0) > 0 && lines.includes(request.line))
      .toSorted((a, b) => room.get(b.id)! - room.get(a.id)!)[0];
    if (!roomiest) return [];
    const { id: server, engine, places, shared } = roomiest;
    room.set(server, room.get(server)! - 1);
    return [{ id: request.id, engine, server, places: shared ? places : null }];
  });
}
