import type { Snapshot } from '#lib/engines/engine';
import { nameOf, reportProgress, type Claim, type Fence } from '#lib/life/claim';
import { writeFrames, type Frame } from '#lib/life/frames';
import { log } from '#lib/log';

interface Run {
  claim: Claim;
  /** Aborted when nobody wants the output any more: the request is final, or another worker has it. */
  stop: AbortController;
  begunAt: number;
  ended: Promise<void>;
}

/** The requests that this process works on. */
export class Runs {
  readonly #runs = new Map<string, Run>();
  #progress = new Map<Claim, number>();
  #frames = new Map<string, Frame>();
  /** Held at the last comparison, and not worked on. */
  #idle = new Set<string>();
  readonly #timers = [
    setInterval(() => void this.#writeProgress(), 500),
    setInterval(() => void this.#writeFrames(), 1_000),
  ];

  get size(): number {
    return this.#runs.size;
  }

  /** How many of them a server has. */
  on(server: string): number {
    let count = 0;
    for (const { claim } of this.#runs.values()) if (claim.server === server) count += 1;
    return count;
  }

  /** Begins to work on a claim; `work` never throws. */
  begin(claim: Claim, work: (run: { claim: Claim; stop: AbortSignal }) => Promise<void>): Promise<void> {
    // whoever was cut off from the database may still work on a claim that it lost
    this.stop(claim.id);
    const stop = new AbortController();
    const ended = work({ claim, stop: stop.signal }).finally(() => {
      if (this.#runs.get(claim.id)?.claim === claim) this.#runs.delete(claim.id);
      this.#progress.delete(claim);
    });
    this.#runs.set(claim.id, { claim, stop, begunAt: performance.now(), ended });
    return ended;
  }

  /** Ends the work on a request; nothing happens when this process does not have it. */
  stop(id: string): void {
    this.#runs.get(id)?.stop.abort();
  }

  /**
   * Ends the work on what this process held when it was asked for, and holds no more. Gives what it holds for a while and does not
   * work on: the answer to a claim, or to an end of its work, was lost.
   */
  compare(held: readonly Fence[], askedAt: number): Fence[] {
    const ids = new Set(held.map(({ id }) => id));
    for (const [id, { begunAt }] of this.#runs) if (begunAt < askedAt && !ids.has(id)) this.stop(id);
    const idle = held.filter(({ id, claim }) => this.#runs.get(id)?.claim.claim !== claim);
    // what is seen for the first time may be on its way here
    const stray = idle.filter(fence => this.#idle.has(nameOf(fence)));
    this.#idle = new Set(idle.map(nameOf));
    return stray;
  }

  /** What the engine says of a run. */
  note(claim: Claim, snapshot: Snapshot): void {
    if (snapshot.state !== 'running') return;
    if (snapshot.progress !== undefined) this.#progress.set(claim, snapshot.progress);
    if (snapshot.frame) this.#frames.set(claim.id, snapshot.frame);
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** All that moved goes in one statement, however many run. */
  async #writeProgress(): Promise<void> {
    if (this.#progress.size === 0) return;
    const progress = this.#progress;
    this.#progress = new Map();
    try {
      for (const lost of await reportProgress(progress))
        if (this.#runs.get(lost.id)?.claim === lost) this.stop(lost.id);
    } catch (error) {
      // the next one will do
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
