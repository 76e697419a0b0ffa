import type { Engine } from '#lib/engines/engine';

/** A server of an engine, as a worker gives it work. */
export interface Server {
  /** Engine and server: `preview/…`. Unique in the deployment. */
  id: string;
  engine: string;
  /** Generations that it takes at a time. */
  places: number;
  /** Whether other workers give it work too, so that its places are counted in the database. */
  shared: boolean;
  /** The lines that it serves. */
  lines: readonly string[];
  /** Whether it has one model in memory and takes its time for another. */
  loads: boolean;
  /** How much its engine is preferred where several serve a line: 0 first. */
  rank: number;
  /** After so many seconds without news its jobs are stopped; STALL_SECONDS when left out. */
  stallSeconds?: number | undefined;
  /** Works with its connector, which is made when it is first needed and stays open until the work ends. */
  use<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}
