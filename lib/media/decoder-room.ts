import { Decoder } from '#lib/media/decoder';
import type { ReadRange } from '#lib/media/probe-av';
import { FairGate, type Errand } from '#lib/media/fair-gate';
import type { MediaTask } from '#lib/media/media-task';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Limits after which a process is replaced: tasks performed, or bytes of memory held after a task. */
const WORN = { tasks: 200, bytes: 300_000_000 };
/** How long an idle process is kept. */
export const IDLE_MS = 60_000;

export interface Isolation extends Errand {
  /** Timeout of the task in milliseconds, instead of its default. */
  timeout?: number;
  /** Reads ranges of a file that is not on this disk. */
  read?: ReadRange;
}

/** A pool of decoder processes with one memory limit. Tasks are scheduled fairly, and idle processes are reused. */
export class DecoderRoom {
  readonly #bytes: number;
  readonly #gate: FairGate;
  /** Idle processes, the most recently used last. */
  readonly #idle: { decoder: Decoder }[] = [];

  constructor({ bytes, ...limits }: { most: number; mostOfOne?: number; isCounted?: boolean; bytes: number }) {
    this.#bytes = bytes;
    this.#gate = new FairGate('DECODES', limits);
  }

  /** Performs a task in turn. Throws `UnusableMedia`, `DecoderFailed`, `too_many_requests` or the signal's reason. */
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

  /** Keeps a process for the next task, and kills it when none comes within `IDLE_MS`. */
  #rest(decoder: Decoder): void {
    const resting = { decoder };
    this.#idle.push(resting);
    // a timer instead of a timestamp: if the clock were set back, the process would be kept too long
    setTimeout(() => {
      const at = this.#idle.indexOf(resting);
      if (at >= 0) this.#idle.splice(at, 1)[0]!.decoder.kill();
    }, IDLE_MS).unref();
  }
}
