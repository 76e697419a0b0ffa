import { pool } from '#lib/db/client';
import { PACE, place, type Waiting } from '#lib/engines/placement';
import type { Server } from '#lib/engines/server';
import { claimGenerations, type Claim } from '#lib/life/claim';
import { LIVE_LIST } from '#lib/status';
import { keepLooking, type Loop } from '#lib/worker/loop';
import { paceOf } from '#lib/worker/pace';
import { hasRoom } from '#lib/worker/room';
import { readStanding, sharedServers } from '#lib/worker/servers';

/** Requests of one line that are considered at a time. */
const MOST_OF_A_LINE = 32;

interface Options {
  worker: string;
  /** The servers that live in this process. */
  own: readonly Server[];
  /** How many generations this process runs on a server. */
  running: (server: string) => number;
  begin: (claim: Claim, server: Server) => void;
}

/** The one loop that takes requests for this process, for all servers together. */
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

  /** Whether anything was taken: then there may be more. */
  async function look(): Promise<boolean> {
    const [isRoomy, shared] = await Promise.all([hasRoom(), readStanding(sharedServers())]);
    if (!isRoomy) return false;
    const servers = [...own, ...shared.servers];
    for (const { id } of own) shared.standing.set(id, { busy: running(id), longestMs: 0, loaded: null, loadedAt: 0 });
    const room = Math.max(...servers.map(({ id, places }) => places - (shared.standing.get(id)?.busy ?? 0)), 0);
    const waiting = await readWaiting(servers, room);
    const picks = place(servers, shared.standing, waiting, Date.now(), { ...PACE, jobMs: paceOf });
    if (stopped || picks.length === 0) return false;
    const claims = await claimGenerations(worker, picks);
    for (const claim of claims)
      begin(
        claim,
        servers.find(({ id }) => id === claim.server)!,
      );
    return claims.length > 0;
  }
}

/** The first of every line that one of the servers serves. */
async function readWaiting(servers: readonly Server[], room: number): Promise<Waiting[]> {
  const lines = [...new Set(servers.flatMap(({ lines }) => lines))];
  const { rows } = await pool().query<Waiting>({
    name: 'waiting',
    text: `
      select r.id, r.line, r.turn_at as "turnAt", case when r.engine_ref is not null then r.server end as "heldBy"
      from unnest($1::text[]) as wanted (line)
        cross join lateral (
          select * from requests
          where requests.line = wanted.line and worker is null and fetched and status in (${LIVE_LIST})
            and (not_before is null or not_before <= now())
          order by turn_at, id limit $2
        ) r`,
    values: [lines, room > 0 ? MOST_OF_A_LINE : 1],
  });
  return rows;
}
