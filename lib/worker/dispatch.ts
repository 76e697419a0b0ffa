import { pool } from '#lib/db/client';
import { place, type Waiting } from '#lib/engines/placement';
import type { Server } from '#lib/engines/server';
import { claimGenerations, type Claim } from '#lib/life/claim';
import { LIVE_LIST } from '#lib/life/status';
import { keepLooking, type Loop } from '#lib/worker/loop';

/** Requests of one line that are considered at a time. */
const MOST_OF_A_LINE = 32;

interface Options {
  worker: string;
  /** The servers that take work now. */
  servers: () => readonly Server[];
  /** How many generations this process runs on a server. */
  running: (server: string) => number;
  begin: (claim: Claim, server: Server) => void;
}

/** The one loop that takes requests for this process, for all its servers together. */
export function startDispatcher({ worker, servers, running, begin }: Options): Loop {
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
    const known = servers();
    const busy = await countBusy(known);
    const free = new Map(known.map(server => [server.id, server.places - (busy.get(server.id) ?? 0)]));
    const waiting = await readWaiting(known, Math.max(...free.values(), 0));
    const picks = place(known, free, waiting);
    if (stopped || picks.length === 0) return false;
    const claims = await claimGenerations(worker, picks);
    for (const claim of claims)
      begin(
        claim,
        known.find(({ id }) => id === claim.server)!,
      );
    return claims.length > 0;
  }

  async function countBusy(known: readonly Server[]): Promise<Map<string, number>> {
    const own = known.filter(({ shared }) => !shared).map(({ id }): [string, number] => [id, running(id)]);
    const shared = known.flatMap(({ id, shared }) => (shared ? [id] : []));
    if (shared.length === 0) return new Map(own);
    const { rows } = await pool().query<{ server: string; busy: number }>({
      name: 'busy_servers',
      text: `select server, count(*)::int as busy from requests
        where status in (${LIVE_LIST}) and worker is not null and server = any($1) group by server`,
      values: [shared],
    });
    return new Map([...own, ...rows.map(({ server, busy }): [string, number] => [server, busy])]);
  }
}

/** The first of every line that a server with room serves; and those that a server may still have, room or not. */
async function readWaiting(known: readonly Server[], free: number): Promise<Waiting[]> {
  const lines = [...new Set(known.flatMap(({ lines }) => lines))];
  const { rows } = await pool().query<Waiting>({
    name: 'waiting',
    text: `
      select r.id, r.line, r.turn_at as "turnAt", r.updated_at as "waitsSince", case when r.engine_ref is not null then r.server end as "heldBy"
      from unnest($1::text[]) as wanted (line)
        cross join lateral (
          select * from requests
          where requests.line = wanted.line and worker is null and fetched and status in (${LIVE_LIST})
            and (not_before is null or not_before <= now())
          order by turn_at, id limit $2
        ) r`,
    values: [lines, Math.min(Math.max(free, 1), MOST_OF_A_LINE)],
  });
  return rows;
}
