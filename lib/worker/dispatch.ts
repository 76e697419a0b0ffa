import { PACE, place } from '#lib/engines/placement';
import type { Server } from '#lib/engines/server';
import { claimGenerations, readWaiting, type Claim } from '#lib/life/claim';
import { keepLooking, type Loop } from '#lib/worker/loop';
import { paceOf } from '#lib/worker/pace';
import { hasRoom } from '#lib/worker/room';
import { readStanding, sharedServers } from '#lib/worker/servers';

/** Maximum number of requests of one line considered at a time. */
const MOST_OF_A_LINE = 32;

interface Options {
  worker: string;
  /** Servers that run inside this process. */
  own: readonly Server[];
  /** Returns the number of generations that this process runs on a server. */
  running: (server: string) => number;
  begin: (claim: Claim, server: Server) => void;
}

/** Starts the loop that claims requests for all servers of this process. */
export function startDispatcher({ worker, own, running, begin }: Options): Loop {
  let stopped = false;
  const loop = keepLooking('requests to run', look);
  return {
    wake: loop.wake,
    stop() {
      stopped = true;
      return loop.stop();
    },
  };

  /** Claims requests; returns whether any were claimed, in which case more may be waiting. */
  async function look(): Promise<boolean> {
    const [isRoomy, { servers, picks }] = await Promise.all([hasRoom(), choose()]);
    if (stopped || !isRoomy || picks.length === 0) return false;
    const claims = await claimGenerations(worker, picks);
    for (const claim of claims)
      begin(
        claim,
        servers.find(({ id }) => id === claim.server)!,
      );
    return claims.length > 0;
  }

  /** Chooses which waiting requests to begin now, and on which servers. */
  async function choose() {
    const shared = await readStanding(sharedServers());
    const servers = [...own, ...shared.servers];
    for (const { id } of own) shared.standing.set(id, { busy: running(id), longestMs: 0, loaded: null, loadedAt: 0 });
    const room = Math.max(...servers.map(({ id, places }) => places - (shared.standing.get(id)?.busy ?? 0)), 0);
    const lines = new Set(servers.flatMap(server => server.lines));
    const waiting = await readWaiting([...lines], room > 0 ? MOST_OF_A_LINE : 1);
    return { servers, picks: place(servers, shared.standing, waiting, Date.now(), { ...PACE, jobMs: paceOf }) };
  }
}
