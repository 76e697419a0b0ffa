import type { Engine } from '#lib/engines/engine';

/** A server of an engine, as a worker uses it. */
export interface Server {
  /** `<engine>/<server>`, unique in the deployment. */
  id: string;
  engine: string;
  /** Number of generations that the server takes concurrently. */
  places: number;
  /** Whether several workers use the server, so that its places are counted in the database. */
  shared: boolean;
  /** Lines that the server serves. */
  lines: readonly string[];
  /** Whether the server holds one model in memory and takes time to load another. */
  loads: boolean;
  /** Position of its engine in the order of preference; 0 is the most preferred. */
  rank: number;
  /** Seconds without news after which a job is stopped; defaults to STALL_SECONDS. */
  stallSeconds?: number | undefined;
  /** Runs `work` with the server's connector, which is created on first use and stays open until the work ends. */
  use<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}
