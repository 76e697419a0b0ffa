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
export const PACE: Pace = { jobMs: () => 5_000, loadMs: 20_000, patienceMs: 90_000 };

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
  const state = new Map(servers.map(({ id }) => [id, { busy: 0, loaded: null, loadedAt: 0, ...standing.get(id) }]));
  // each round gives every server with room one request at most, so that the idle come before those with work
  for (let given = true; given && !lines.empty;) {
    given = false;
    const withRoom = servers
      .filter(({ id, places }) => state.get(id)!.busy < places)
      .toSorted((a, b) => state.get(a.id)!.busy - state.get(b.id)!.busy || a.rank - b.rank);
    for (const server of withRoom) {
      const line = chooseLine(server, state, servers, lines, now, pace);
      const request = line === null ? undefined : lines.take(line);
      if (!request) continue;
      const own = state.get(server.id)!;
      if (own.loaded !== request.line) Object.assign(own, { loaded: request.line, loadedAt: now });
      own.busy += 1;
      placed.push({
        id: request.id,
        engine: server.engine,
        server: server.id,
        places: server.shared ? server.places : null,
      });
      given = true;
    }
  }
  return placed;
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

function chooseLine(
  server: Server,
  state: ReadonlyMap<string, Standing>,
  servers: readonly Server[],
  lines: Lines,
  now: number,
  { jobMs, loadMs, patienceMs }: Pace,
): string | null {
  const { loaded, loadedAt } = state.get(server.id)!;
  const wanted = lines.inOrder(server.lines);
  const goesOn = loaded !== null && wanted.includes(loaded);
  if (goesOn && now - loadedAt < patienceMs) return loaded;
  const others = wanted.filter(line => line !== loaded);
  const needing = others.find(line => {
    const warm = servers.flatMap(({ id }) =>
      id !== server.id && state.get(id)!.loaded === line ? state.get(id)! : [],
    );
    const work = warm.reduce((sum, { busy, loadedAt }) => sum + busy * jobMs(line) + loadingMs(loadedAt), 0);
    // those that have the model will be through sooner than another could load it
    return warm.length === 0 || (work + lines.count(line) * jobMs(line)) / warm.length > loadMs;
  });
  return needing ?? (goesOn ? loaded : null);

  function loadingMs(loadedAt: number): number {
    return Math.max(0, loadMs - (now - loadedAt));
  }
}
