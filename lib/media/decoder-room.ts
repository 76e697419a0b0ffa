import { Decoder } from '#lib/media/decoder';
import type { ReadRange } from '#lib/media/probe-av';
import { FairGate, type Errand } from '#lib/media/fair-gate';
import type { MediaTask } from '#lib/media/media-task';
import { UnusableMedia } from '#lib/media/unusable-media';

/** A process is replaced after so many tasks, or when it keeps so many bytes. */
const WORN = { tasks: 200, bytes: 300_000_000 };
/** One without a task for so long ends. */
export const IDLE_MS = 60_000;

export interface Isolation extends Errand {
  /** Milliseconds that the task may take, instead of its own. */
  timeout?: number;
  /** Where a file that is not on this disk is read from. */
  read?: ReadRange;
}

/** Processes of one size that decode: a few at a time, fairly, warm between tasks and gone when there are none. */
export class DecoderRoom {
  readonly #bytes: number;
  readonly #gate: FairGate;
  /** Processes without a task, the last used last. */
  readonly #idle: { decoder: Decoder }[] = [];

  constructor({ bytes, ...limits }: { most: number; mostOfOne?: number; bytes: number }) {
    this.#bytes = bytes;
    this.#gate = new FairGate('DECODES', limits);
  }

  /** Does a task when its turn comes. Throws `UnusableMedia`, `DecoderFailed`, what the gate throws, and the signal's reason. */
  do(task: MediaTask, milliseconds: number, errand: Isolation): Promise<unknown> {
    return this.#gate.pass(errand, () => this.#perform(task, milliseconds, errand));
  }

  async #perform(task: MediaTask, milliseconds: number, { signal, read }: Isolation): Promise<unknown> {
    const decoder = this.#takeIdle() ?? new Decoder(this.#bytes);
    const limit = AbortSignal.timeout(milliseconds);
    try {
      return await decoder.run(task, signal ? AbortSignal.any([signal, limit]) : limit, read);
    } catch (cause) {
      signal?.throwIfAborted();
      if (limit.aborted) throw new UnusableMedia('The file takes too long to decode.', { cause });
      throw cause;
    } finally {
      if (decoder.tasks >= WORN.tasks || decoder.memory > WORN.bytes) decoder.kill();
      else if (decoder.isAlive) this.#rest(decoder);
    }
  }

  #takeIdle(): Decoder | undefined {
    let decoder = this.#idle.pop()?.decoder;
    while (decoder && !decoder.isAlive) decoder = this.#idle.pop()?.decoder;
    return decoder;
  }

  /** Keeps a process for the next task; one that has none for a minute ends. */
  #rest(decoder: Decoder): void {
    const resting = { decoder };
    this.#idle.push(resting);
    // no look at the clock, which may be set back: nobody would come to end it later
    setTimeout(() => {
      const at = this.#idle.indexOf(resting);
      if (at >= 0) this.#idle.splice(at, 1)[0]!.decoder.kill();
    }, IDLE_MS).unref();
  }
}
