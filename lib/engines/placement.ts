import type { Server } from '#lib/engines/server';

/** A request that nobody holds, among the first of its line. */
export interface Waiting {
  id: string;
  line: string;
  /** The order of those that wait. */
  turnAt: Date;
  /** The server where an earlier holder left its job, to be found there again. */
  heldBy: string | null;
}

/** How a server stands. */
export interface Standing {
  /** Generations that it has now. */
  busy: number;
  /** Milliseconds since the first of them began. */
  longestMs: number;
  /** The line whose model it has in memory, and since when; null where that is unknown or costs nothing. */
  loaded: string | null;
  loadedAt: number;
}

export interface Placed {
  id: string;
  engine: string;
  server: string;
  /** Places of a server that several workers give work; null where they need not be counted. */
  places: number | null;
}

export interface Pace {
  /** Milliseconds that a generation of a line takes. */
  jobMs: (line: string) => number;
  /** Milliseconds that a server takes to load another model. */
  loadMs: number;
  /** A server goes on with the model that it has for so long while others wait, then their turn has come. */
  patienceMs: number;
}

/** What is taken to hold of every server. */
export const PACE: Omit<Pace, 'jobMs'> = { loadMs: 20_000, patienceMs: 180_000 };

/**
 * Which request goes to which server. Pure. Those come first where nothing has to wait, of these the preferred. A server goes on with
 * the line whose model it has, unless its time with it is over; else it takes the line whose first request came first, of those
 * that the servers which have their model will not serve sooner than it can be loaded. One that loads none leaves such a line to
 * engines alone that are preferred to its own. Within a line requests keep their order.
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
    // it has its place there already
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
  // each round gives one request at most to every server of those that come first, and to the next ones when these take none
  while (!lines.empty && fleet.withRoom().some(equals => equals.map(giveTo).includes(true)));
  return placed;
}

/** The servers, and for each line those that have its model and the work before them, by the rank of their engines. */
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

  /** Those where the least has to be done first, then those that are preferred; equals together, the idler at the front. */
  withRoom(): Server[][] {
    const room = this.#servers.filter(({ id, places }) => this.#of(id).busy < places);
    // what loads models works on one thing after the other, what does not on all at a time
    const ahead = ({ id, loads }: Server) => (loads ? this.#of(id).busy : 0);
    const groups = Map.groupBy(room, server => `${ahead(server)} ${server.rank}`);
    return [...groups.values()]
      .toSorted(([a], [b]) => ahead(a!) - ahead(b!) || a!.rank - b!.rank)
      .map(equals => equals.toSorted((a, b) => this.#of(a.id).busy - this.#of(b.id).busy));
  }

  #of(id: string): Readonly<Standing> {
    return this.#state.get(id)!;
  }

  /** The line that a server takes from next; null where there is none for it. */
  chooseLine(server: Server, lines: Lines): string | null {
    const { loaded, loadedAt } = this.#of(server.id);
    const goesOn = loaded !== null && lines.count(loaded) > 0 && server.lines.includes(loaded);
    if (goesOn && this.#now - loadedAt < this.#pace.patienceMs) return loaded;
    const others = lines.inOrder(server.lines).filter(line => line !== loaded);
    // those that have the model may be through sooner than this server could load it;
    // where there is nothing to load, only those of preferred engines are waited for
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
   * Milliseconds until those that have the model of a line would be through with so many more, of engines before this rank alone;
   * endless where none has it.
   */
  #throughMs(line: string, more: number, before = Infinity): number {
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
    // what it has in memory it may serve no more
    if (loaded === null || !lines.includes(loaded)) return;
    const ranks = this.#warm.get(loaded) ?? new Map<number, { servers: number; workMs: number }>();
    const warm = ranks.get(rank) ?? { servers: 0, workMs: 0 };
    const jobMs = this.#pace.jobMs(loaded);
    const loadingMs = Math.max(0, this.#pace.loadMs - (this.#now - loadedAt));
    // one that runs for longer than others did may go on for as long again
    const busyMs = busy && Math.max(jobMs, longestMs) + (busy - 1) * jobMs;
    warm.servers += sign;
    warm.workMs += sign * (busyMs + loadingMs);
    this.#warm.set(loaded, ranks.set(rank, warm));
  }
}

/** The requests that wait, by line, each line in its order. */
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

  /** Those of the given lines where somebody waits, the one whose first request came first at the front. */
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
