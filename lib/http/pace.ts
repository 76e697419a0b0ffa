import type { ServerResponse } from 'node:http';
import { env } from '#lib/env';
import { noteLimit, type LimitName } from '#lib/limits';

/** After a rest, a second's worth is had at once. */
const AT_ONCE_MS = 1_000;

/** Lets each address have so much a second, as a limit says; more is due later, and nothing later than `longest` milliseconds. */
export class Pace {
  readonly #limit: LimitName;
  readonly #longest: number;
  /** When all is paid off that an address had, roughly the earliest first. */
  readonly #paidOff = new Map<string, number>();

  constructor(limit: LimitName, longest: number) {
    this.#limit = limit;
    this.#longest = longest;
  }

  /** Addresses that are remembered. */
  get size(): number {
    return this.#paidOff.size;
  }

  /** Milliseconds until the address may have so much more; null when that is too long: then it has not been counted. */
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

/** Lets time pass, as long as the client is there. */
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
