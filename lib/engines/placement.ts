import type { Server } from '#lib/engines/server';

/** An unclaimed request near the front of its line. */
export interface Waiting {
  id: string;
  line: string;
  /** Sort key within the line. */
  turnAt: Date;
  /** Server where an earlier holder left the job, which can be resumed there. */
  heldBy: string | null;
}

/** Current load of a server. */
export interface Standing {
  /** Number of generations on the server now. */
  busy: number;
  /** Milliseconds since the oldest of them began. */
  longestMs: number;
  /** Line whose model is in the server's memory; null where unknown, or where loading a model costs nothing. */
  loaded: string | null;
  loadedAt: number;
}

export interface Placed {
  id: string;
  engine: string;
  server: string;
  /** Capacity of a server that several workers share; null where the database need not enforce it. */
  places: number | null;
}

export interface Pace {
  /** Expected duration of a generation of a line, in milliseconds. */
  jobMs: (line: string) => number;
  /** Expected time to load another model, in milliseconds. */
  loadMs: number;
  /** Milliseconds for which a server may stay with its loaded model while other lines wait. */
  patienceMs: number;
}

/** Assumptions that apply to every server. */
export const PACE: Omit<Pace, 'jobMs'> = { loadMs: 20_000, patienceMs: 180_000 };

/**
 * Assigns waiting requests to servers. Pure. Servers where a request starts immediately come first, then those of
 * preferred engines. A server stays with the line whose model it has loaded until `patienceMs` has passed. Otherwise it
 * takes the line with the oldest first request, but skips lines that servers with the model loaded will finish before
 * it could load the model. A server that loads no models skips a line only in favour of preferred engines. Requests
 * within a line keep their order.
 */
export function place(
  servers: readonly Server[],
  standing: ReadonlyMap<string, Standing>,
  waiting: readonly Waiting[],
  now: number,
  pace: Pace,
): Placed[] {
  const known = new Map(servers.map(server => [server.id, server]));
  const placed: Placed[] = [];
  const lines = new Lines();
  for (const request of waiting) {
    const holder = request.heldBy === null ? undefined : known.get(request.heldBy);
    // the request already occupies a place on that server
    if (holder) placed.push({ id: request.id, engine: holder.engine, server: holder.id, places: null });
    else lines.add(request);
  }
  const fleet = new Fleet(servers, standing, now, pace);
  const giveTo = (server: Server): boolean => {
    const line = fleet.chooseLine(server, lines);
    const request = line === null ? undefined : lines.take(line);
    if (!request) return false;
    fleet.give(server, request.line);
    const { id, engine, places, shared } = server;
    placed.push({ id: request.id, engine, server: id, places: shared ? places : null });
    return true;
  };
  // each round gives at most one request to every server of the first group that takes any
  while (!lines.empty && fleet.withRoom().some(equals => equals.map(giveTo).includes(true)));
  return placed;
}

/**
 * The servers and their load; for each line and engine rank, the number and backlog of servers with its model loaded.
 */
class Fleet {
  readonly #servers: readonly Server[];
  readonly #state: Map<string, Standing>;
  readonly #warm = new Map<string, Map<number, { servers: number; workMs: number }>>();
  readonly #now: number;
  readonly #pace: Pace;

  constructor(servers: readonly Server[], standing: ReadonlyMap<string, Standing>, now: number, pace: Pace) {
    this.#servers = servers;
    this.#now = now;
    this.#pace = pace;
    const unknown: Standing = { busy: 0, longestMs: 0, loaded: null, loadedAt: 0 };
    this.#state = new Map(servers.map(({ id }) => [id, { ...unknown, ...standing.get(id) }]));
    for (const server of servers) this.#count(server, 1);
  }

  /** Returns the servers with free places in groups, by backlog and then rank; within a group, the least busy first. */
  withRoom(): Server[][] {
    const room = this.#servers.filter(({ id, places }) => this.#of(id).busy < places);
    // a server that loads models works on one generation at a time, others work on all of theirs concurrently
    const ahead = ({ id, loads }: Server) => (loads ? this.#of(id).busy : 0);
    const groups = Map.groupBy(room, server => `${ahead(server)} ${server.rank}`);
    return [...groups.values()]
      .toSorted(([a], [b]) => ahead(a!) - ahead(b!) || a!.rank - b!.rank)
      .map(equals => equals.toSorted((a, b) => this.#of(a.id).busy - this.#of(b.id).busy));
  }

  #of(id: string): Readonly<Standing> {
    return this.#state.get(id)!;
  }

  /** Returns the line from which a server takes its next request; null where none suits it. */
  chooseLine(server: Server, lines: Lines): string | null {
    const { loaded, loadedAt } = this.#of(server.id);
    const goesOn = loaded !== null && lines.count(loaded) > 0 && server.lines.includes(loaded);
    if (goesOn && this.#now - loadedAt < this.#pace.patienceMs) return loaded;
    const others = lines.inOrder(server.lines).filter(line => line !== loaded);
    // servers with the model loaded may finish before this server could load it; a server that loads no models
    // waits for preferred engines only
    const before = server.loads ? Infinity : server.rank;
    const isLate = (line: string) => this.#throughMs(line, lines.count(line), before) > this.#pace.loadMs;
    return others.find(isLate) ?? (goesOn ? loaded : null);
  }

  give(server: Server, line: string): void {
    const state = this.#state.get(server.id)!;
    this.#count(server, -1);
    if (server.loads && state.loaded !== line) Object.assign(state, { loaded: line, loadedAt: this.#now });
    state.busy += 1;
    this.#count(server, 1);
  }

  /**
   * Returns the milliseconds in which the servers with the line's model loaded would finish `more` further requests,
   * counting only engines with a rank below `before`; Infinity where no such server exists.
   */
  #throughMs(line: string, more: number, before: number): number {
    let [servers, workMs] = [0, more * this.#pace.jobMs(line)];
    for (const [rank, warm] of this.#warm.get(line) ?? []) {
      if (rank >= before) continue;
      servers += warm.servers;
      workMs += warm.workMs;
    }
    return servers ? workMs / servers : Infinity;
  }

  #count({ id, lines, rank }: Server, sign: 1 | -1): void {
    const { loaded, loadedAt, busy, longestMs } = this.#of(id);
    // the server may no longer serve the line whose model it has loaded
    if (loaded === null || !lines.includes(loaded)) return;
    const ranks = this.#warm.get(loaded) ?? new Map<number, { servers: number; workMs: number }>();
    const warm = ranks.get(rank) ?? { servers: 0, workMs: 0 };
    const jobMs = this.#pace.jobMs(loaded);
    const loadingMs = Math.max(0, this.#pace.loadMs - (this.#now - loadedAt));
    // a job that has run longer than expected is assumed to need as long again
    const busyMs = busy && Math.max(jobMs, longestMs) + (busy - 1) * jobMs;
    warm.servers += sign;
    warm.workMs += sign * (busyMs + loadingMs);
    this.#warm.set(loaded, ranks.set(rank, warm));
  }
}

/** Waiting requests, grouped by line and sorted within each line. */
class Lines {
  readonly #byLine = new Map<string, Waiting[]>();

  get empty(): boolean {
    return this.#byLine.size === 0;
  }

  add(request: Waiting): void {
    const line = this.#byLine.get(request.line) ?? [];
    line.push(request);
    line.sort((a, b) => a.turnAt.getTime() - b.turnAt.getTime() || (a.id < b.id ? -1 : 1));
    this.#byLine.set(request.line, line);
  }

  count(line: string): number {
    return this.#byLine.get(line)?.length ?? 0;
  }

  /** Returns those of the given lines that have waiting requests, by the age of their first request, oldest first. */
  inOrder(lines: readonly string[]): string[] {
    const first = (line: string) => this.#byLine.get(line)![0]!.turnAt.getTime();
    return lines.filter(line => this.#byLine.has(line)).toSorted((a, b) => first(a) - first(b));
  }

  take(line: string): Waiting | undefined {
    const requests = this.#byLine.get(line);
    const request = requests?.shift();
    if (requests?.length === 0) this.#byLine.delete(line);
    return request;
  }
}
