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

/** Maximum number of finished calls whose outcome is kept for a late poll. */
const REMEMBERED = 1_000;

interface Held {
  snapshot: Snapshot;
  readonly changes: EventEmitter;
  readonly abort: AbortController;
  /** Aborted together with `abort`, or with the context in which the call was started. */
  readonly signal: AbortSignal;
}

/** Reports the state of a job while its call is held open. */
export type Tell = (snapshot: Extract<Snapshot, { state: 'queued' | 'running' }>) => void;

/** Jobs whose single call responds when the work is done. They are lost when this process ends. */
interface HeldCalls extends Required<Pick<Engine, 'poll' | 'watch' | 'cancel' | 'close'>> {
  /**
   * Starts `call` in the background. Does nothing while a call with this id is in progress, or when its output can
   * still be collected. The signal is aborted when the job is no longer wanted.
   */
  start(id: string, context: EngineContext, call: (signal: AbortSignal, tell: Tell) => Promise<EngineOutput>): void;
}

/** Creates the held calls of an engine. Uncollected output is deleted when its job is no longer wanted. */
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
      // reported once, so that a later poll returns `lost` and the job is tried again
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
