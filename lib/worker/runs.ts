import type { Snapshot } from '#lib/engines/engine';
import { nameOf, reportProgress, type Claim, type Fence } from '#lib/life/claim';
import { writeFrames, type Frame } from '#lib/life/frames';
import { log } from '#lib/log';

interface Run {
  claim: Claim;
  /** Aborted when the output is no longer wanted: the request is final, or another worker holds it. */
  stop: AbortController;
  begunAt: number;
  ended: Promise<void>;
}

/** The requests that this process is working on. */
export class Runs {
  readonly #runs = new Map<string, Run>();
  #progress = new Map<Claim, number>();
  #frames = new Map<string, Frame>();
  /** Claims that were held but not worked on at the last comparison. */
  #idle = new Set<string>();
  readonly #timers = [
    setInterval(() => void this.#writeProgress(), 500),
    setInterval(() => void this.#writeFrames(), 1_000),
  ];

  /** Returns the number of runs on a server. */
  on(server: string): number {
    let count = 0;
    for (const { claim } of this.#runs.values()) if (claim.server === server) count += 1;
    return count;
  }

  /** Begins to work on a claim. `work` must not throw. */
  begin(claim: Claim, work: (stop: AbortSignal) => Promise<void>): Promise<void> {
    // after losing the database connection, this process may still work on an older claim of the request
    this.stop(claim.id);
    const stop = new AbortController();
    const ended = work(stop.signal).finally(() => {
      if (this.#runs.get(claim.id)?.claim === claim) this.#runs.delete(claim.id);
      this.#progress.delete(claim);
    });
    this.#runs.set(claim.id, { claim, stop, begunAt: performance.now(), ended });
    return ended;
  }

  /** Ends the work on a request; does nothing when this process does not have it. */
  stop(id: string): void {
    this.#runs.get(id)?.stop.abort();
  }

  /**
   * Compares the runs with the claims in the database (`held`, queried at `askedAt`), and stops runs whose claim is
   * lost. Returns claims that were idle in two successive calls: the response to a claim, or to its end, was lost.
   */
  compare(held: readonly Fence[], askedAt: number): Fence[] {
    const ids = new Set(held.map(({ id }) => id));
    for (const [id, { begunAt }] of this.#runs) if (begunAt < askedAt && !ids.has(id)) this.stop(id);
    const idle = held.filter(({ id, claim }) => this.#runs.get(id)?.claim.claim !== claim);
    // a claim that is idle for the first time may still be on its way to this process
    const stray = idle.filter(fence => this.#idle.has(nameOf(fence)));
    this.#idle = new Set(idle.map(nameOf));
    return stray;
  }

  /** Notes the progress and preview frame of a run, to be written with the next timer tick. */
  note(claim: Claim, snapshot: Snapshot): void {
    if (snapshot.state !== 'running') return;
    if (snapshot.progress !== undefined) this.#progress.set(claim, snapshot.progress);
    if (snapshot.frame) this.#frames.set(claim.id, snapshot.frame);
  }

  /** Resolves when all current runs have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Writes all changed progress in one statement. */
  async #writeProgress(): Promise<void> {
    if (this.#progress.size === 0) return;
    const progress = this.#progress;
    this.#progress = new Map();
    try {
      for (const lost of await reportProgress(progress))
        if (this.#runs.get(lost.id)?.claim === lost) this.stop(lost.id);
    } catch (error) {
      // not retried: newer progress follows
      log().warn({ err: error }, 'progress not written');
    }
  }

  async #writeFrames(): Promise<void> {
    const frames = this.#frames;
    if (frames.size === 0) return;
    this.#frames = new Map();
    await writeFrames(frames).catch((error: unknown) => log().warn({ err: error }, 'frames not written'));
  }
}
