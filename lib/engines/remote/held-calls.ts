import { EventEmitter, on, once } from 'node:events';
import {
  EngineError,
  isEnded,
  type Engine,
  type EngineContext,
  type EngineOutput,
  type Snapshot,
} from '#lib/engines/engine';
import type { Results } from '#lib/engines/remote/results';

/** Finished calls whose outcome is kept for a late poll. */
const REMEMBERED = 1_000;

interface Held {
  snapshot: Snapshot;
  readonly changes: EventEmitter;
  readonly abort: AbortController;
  /** Aborted when it is, and when whoever began it is stopped. */
  readonly signal: AbortSignal;
}

/** What a call tells of its job while it is held open. */
export type Tell = (snapshot: Extract<Snapshot, { state: 'queued' | 'running' }>) => void;

/** Jobs whose one call answers when the work is done. They live and die with this process. */
interface HeldCalls extends Required<Pick<Engine, 'poll' | 'watch' | 'cancel' | 'close'>> {
  /**
   * Begins `call` and returns at once; nothing happens while one of this id is under way, or when it came to a good end that can
   * still be collected. The signal is aborted when nobody wants the job any more.
   */
  start(id: string, context: EngineContext, call: (signal: AbortSignal, tell: Tell) => Promise<EngineOutput>): void;
}

/** What was made and is not collected goes when nobody wants it any more. */
export function createHeldCalls({ isThere, drop }: Pick<Results, 'isThere' | 'drop'>): HeldCalls {
  const calls = new Map<string, Held>();

  const isGood = ({ signal, snapshot }: Held): boolean =>
    !signal.aborted && snapshot.state !== 'failed' && (snapshot.state !== 'succeeded' || isThere(snapshot.output));

  function update(held: Held, snapshot: Snapshot): void {
    if (isEnded(held.snapshot)) return;
    held.snapshot = snapshot;
    held.changes.emit('change');
    if (isEnded(snapshot)) held.changes.emit('end');
  }

  async function letGo({ snapshot }: Held): Promise<void> {
    if (snapshot.state === 'succeeded') await drop(snapshot.output);
  }

  function forgetOldest(): void {
    for (const [id, held] of calls) {
      if (calls.size <= REMEMBERED) return;
      if (!isEnded(held.snapshot)) continue;
      calls.delete(id);
      void letGo(held);
    }
  }

  async function end(held: Held): Promise<Snapshot> {
    const ended = once(held.changes, 'end');
    held.abort.abort();
    if (!isEnded(held.snapshot)) await ended;
    return held.snapshot;
  }

  return {
    start(id, context, call) {
      const known = calls.get(id);
      if (known && isGood(known)) return;
      const abort = new AbortController();
      const signal = AbortSignal.any([abort.signal, context.signal]);
      const held: Held = { snapshot: { state: 'running' }, changes: new EventEmitter(), abort, signal };
      calls.set(id, held);
      void call(signal, snapshot => update(held, snapshot))
        .then((output): Snapshot => ({ state: 'succeeded', output }))
        .catch((error: unknown): Snapshot =>
          signal.aborted ? { state: 'cancelled' } : { state: 'failed', error: asEngineError(error) },
        )
        .then(snapshot => {
          update(held, snapshot);
          const dropIt = () => void letGo(held);
          if (signal.aborted) dropIt();
          else signal.addEventListener('abort', dropIt, { once: true });
          forgetOldest();
        });
    },

    async poll(ref, { signal }) {
      signal.throwIfAborted();
      const { snapshot } = calls.get(ref.id) ?? { snapshot: { state: 'lost' } };
      // told once: whoever asks again wants another try
      if (snapshot.state === 'failed' || snapshot.state === 'cancelled') calls.delete(ref.id);
      return snapshot;
    },

    async *watch(ref, { signal }) {
      const held = calls.get(ref.id);
      if (!held) return;
      const changes = on(held.changes, 'change', { signal, close: ['end'] });
      try {
        yield held.snapshot;
        if (isEnded(held.snapshot)) return;
        for await (const _ of changes) yield held.snapshot;
      } catch {
        signal.throwIfAborted();
      } finally {
        await changes.return!();
      }
    },

    async cancel(ref) {
      const held = calls.get(ref.id);
      if (!held || isEnded(held.snapshot)) return 'too_late';
      const { state } = await end(held);
      return state === 'cancelled' ? 'cancelled' : 'too_late';
    },

    async close() {
      await Promise.all([...calls.values()].map(end));
      await Promise.all([...calls.values()].map(letGo));
      calls.clear();
    },
  };
}

const asEngineError = (error: unknown): EngineError =>
  error instanceof EngineError ? error : new EngineError('engine_error', String(error), true, { cause: error });
