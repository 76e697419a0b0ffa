import type { ServerResponse } from 'node:http';
import { env } from '#lib/env';
import { noteLimit, type LimitName } from '#lib/limits';

/** Burst: how much of the rate an address that was idle may take immediately. */
const AT_ONCE_MS = 1_000;

/** Rate limit per address, of an amount per second. Delays what exceeds the rate, up to `longest` milliseconds. */
export class Pace {
  readonly #limit: LimitName;
  readonly #longest: number;
  /** Time at which each address has paid off what it took, roughly in ascending order. */
  readonly #paidOff = new Map<string, number>();

  constructor(limit: LimitName, longest: number) {
    this.#limit = limit;
    this.#longest = longest;
  }

  /** Number of remembered addresses. */
  get size(): number {
    return this.#paidOff.size;
  }

  /** Returns the milliseconds until the address may have `amount` more; null, uncounted, when that is too long. */
  take(address: string, amount: number): number | null {
    const now = performance.now();
    this.#forget(now - AT_ONCE_MS);
    const from = Math.max(this.#paidOff.get(address) ?? -Infinity, now - AT_ONCE_MS);
    const due = from + (amount / env()[this.#limit]) * 1_000;
    if (due > now) noteLimit(this.#limit);
    if (due > now + this.#longest) return null;
    this.#paidOff.delete(address);
    this.#paidOff.set(address, due);
    return Math.max(0, due - now);
  }

  #forget(before: number): void {
    for (const [address, paidOff] of this.#paidOff) {
      if (paidOff > before) return;
      this.#paidOff.delete(address);
    }
  }
}

/** Waits, or returns early when the client disconnects. */
export async function hold(milliseconds: number, client: ServerResponse): Promise<void> {
  if (milliseconds === 0 || client.closed) return;
  await new Promise<void>(done => {
    const over = setTimeout(done, milliseconds);
    client.once('close', () => {
      clearTimeout(over);
      done();
    });
  });
}
