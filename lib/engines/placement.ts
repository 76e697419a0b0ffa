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

/** What holds until more is known. */
export const PACE: Pace = { jobMs: () => 5_000, loadMs: 20_000, patienceMs: 180_000 };

/**
 * Which request goes to which server. Pure. The idle come first, then those that others are preferred to. A server goes on with
 * the line whose model it has, unless its time with it is over; else it takes the line whose first request came first, of those
 * that the servers which have their model will not serve sooner than it can be loaded. Within a line requests keep their order.
 */
export function place(
  servers: readonly Server[],
  standing: ReadonlyMap<string, Standing>,
  waiting: readonly Waiting[],
  now: number,
  pace: Pace = PACE,
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
  // each round gives every server with room one request at most, so that the idle come before those with work
  for (let given = true; given && !lines.empty;) {
    given = false;
    for (const server of fleet.withRoom()) {
      const line = chooseLine(server, fleet, lines, now, pace);
      const request = line === null ? undefined : lines.take(line);
      if (!request) continue;
      fleet.give(server, request.line);
      const { id, engine, places, shared } = server;
      placed.push({ id: request.id, engine, server: id, places: shared ? places : null });
      given = true;
    }
  }
  return placed;
}

/** The servers, and for each line those that have its model and the work before them. */
class Fleet {
  readonly #servers: readonly Server[];
  readonly #state: Map<string, Standing>;
  readonly #warm = new Map<string, { servers: number; workMs: number }>();
  readonly #now: number;
  readonly #pace: Pace;

  constructor(servers: readonly Server[], standing: ReadonlyMap<string, Standing>, now: number, pace: Pace) {
    this.#servers = servers;
    this.#now = now;
    this.#pace = pace;
    this.#state = new Map(servers.map(({ id }) => [id, { busy: 0, loaded: null, loadedAt: 0, ...standing.get(id) }]));
    for (const state of this.#state.values()) this.#count(state, 1);
  }

  /** The idle first, then those that are preferred. */
  withRoom(): Server[] {
    return this.#servers
      .filter(({ id, places }) => this.of(id).busy < places)
      .toSorted((a, b) => this.of(a.id).busy - this.of(b.id).busy || a.rank - b.rank);
  }

  of(id: string): Readonly<Standing> {
    return this.#state.get(id)!;
  }

  give({ id }: Server, line: string): void {
    const state = this.#state.get(id)!;
    this.#count(state, -1);
    if (state.loaded !== line) Object.assign(state, { loaded: line, loadedAt: this.#now });
    state.busy += 1;
    this.#count(state, 1);
  }

  /** Milliseconds until those that have the model of a line would be through with so many more; endless where none has it. */
  throughMs(line: string, more: number): number {
    const warm = this.#warm.get(line);
    return warm?.servers ? (warm.workMs + more * this.#pace.jobMs(line)) / warm.servers : Infinity;
  }

  #count({ loaded, loadedAt, busy }: Standing, sign: 1 | -1): void {
    if (loaded === null) return;
    const warm = this.#warm.get(loaded) ?? { servers: 0, workMs: 0 };
    const loadingMs = Math.max(0, this.#pace.loadMs - (this.#now - loadedAt));
    warm.servers += sign;
    warm.workMs += sign * (busy * this.#pace.jobMs(loaded) + loadingMs);
    this.#warm.set(loaded, warm);
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

function chooseLine(server: Server, fleet: Fleet, lines: Lines, now: number, pace: Pace): string | null {
  const { loaded, loadedAt } = fleet.of(server.id);
  const goesOn = loaded !== null && lines.count(loaded) > 0 && server.lines.includes(loaded);
  if (goesOn && now - loadedAt < pace.patienceMs) return loaded;
  const others = lines.inOrder(server.lines).filter(line => line !== loaded);
  // those that have the model may be through sooner than this server could load it
  return others.find(line => fleet.throughMs(line, lines.count(line)) > pace.loadMs) ?? (goesOn ? loaded : null);
}
