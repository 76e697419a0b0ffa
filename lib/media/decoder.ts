import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { MediaAnswer, MediaTask, PieceWanted } from '#lib/media/media-task';
import type { ReadRange } from '#lib/media/probe-av';
import { UnusableMedia } from '#lib/media/unusable-media';

/** The JavaScript of a decoder needs little; tables of hostile files would like more. */
const HEAP_MEGABYTES = 256;

/** Addresses that V8 sets aside for code and hardly fills count as data, too. */
const RESERVED_BYTES = process.arch === 'x64' ? 600_000_000 : 200_000_000;

/** One process that decodes, a file at a time. Hostile files meet decoders there, without our environment and within its limits. */
export class Decoder {
  /** Tasks that it was given. */
  tasks = 0;
  /** Bytes in memory after the last task. */
  memory = 0;
  readonly #child: ChildProcess;
  #complaints = '';

  /** `bytes` is what the process may hold. */
  constructor(bytes: number) {
    const flags = [`--max-old-space-size=${HEAP_MEGABYTES}`, '--disable-warning=ExperimentalWarning'];
    // a shell sets what Node cannot: the kernel refuses memory beyond it, however fast it is asked for
    const limit = `ulimit -d ${Math.round((bytes + RESERVED_BYTES) / 1024)}`;
    const script = `(${limit}) && ${limit}; ulimit -c 0; exec "$0" "$@"`;
    const walled = { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...flags] };
    this.#child = fork(join(/* turbopackIgnore: true */ process.cwd(), 'lib/media/media-process.ts'), [], {
      ...(process.platform === 'win32' ? { execArgv: flags } : walled),
      // glibc keeps what decoding freed unless it is told to give it back
      env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '100000', UV_THREADPOOL_SIZE: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    // what it means is decided where a task waits for it
    this.#child.on('error', () => {});
    // it has none when there is no descriptor left to begin it with
    this.#child.stderr?.on('data', (text: Buffer) => (this.#complaints = (this.#complaints + text).slice(-2000)));
    this.#hold(false);
  }

  /** Whether it can take another task. */
  get isAlive(): boolean {
    return this.#child.connected && !this.#child.killed;
  }

  /**
   * Does one task. Rejects with `UnusableMedia` when the file is refused, with the signal's reason when it is aborted (the process
   * is killed then), with `DecoderFailed` when the decoder or its process fails, with `DecoderKilled` when that was no fault of the file, and with
   * `ENOSPC` when there is no room for what it writes.
   */
  async run(task: MediaTask, signal: AbortSignal, read?: ReadRange): Promise<unknown> {
    this.tasks++;
    this.#complaints = '';
    this.#hold(true);
    const { promise, resolve, reject } = Promise.withResolvers<MediaAnswer>();
    const child = this.#child;
    const onMessage = (message: MediaAnswer | PieceWanted) => {
      if (!('piece' in message)) return resolve(message);
      if (!read) return reject(new Error('there is nothing to read from'));
      const { piece, start, end } = message;
      read(start, end).then(
        bytes => child.connected && child.send({ piece, bytes }),
        (error: unknown) => {
          reject(error);
          this.kill();
        },
      );
    };
    const onEnd = (code: number | null, killed: string | null) => {
      // who ended it here has rejected already
      reject(
        new (killed === 'SIGKILL' ? DecoderKilled : DecoderFailed)(`ended with ${killed ?? code}: ${this.#complaints}`),
      );
    };
    const onError = (cause: Error) => reject(new DecoderKilled(`cannot be reached: ${cause.message}`, { cause }));
    const onAbort = () => {
      reject(signal.reason as Error);
      this.kill();
    };
    child.on('message', onMessage).once('exit', onEnd).once('error', onError);
    signal.addEventListener('abort', onAbort);
    try {
      signal.throwIfAborted();
      // what could not begin tells why in a moment
      if (this.isAlive) child.send(task);
      const answer = await promise;
      this.memory = answer.memory;
      if ('refusal' in answer) throw new UnusableMedia(answer.refusal);
      if ('hasNoRoom' in answer && answer.hasNoRoom) throw Object.assign(new Error(answer.fault), { code: 'ENOSPC' });
      if ('fault' in answer) throw new DecoderFailed(answer.fault, { isSpent: answer.isSpent });
      return answer.value;
    } finally {
      signal.removeEventListener('abort', onAbort);
      child.off('message', onMessage).off('exit', onEnd).off('error', onError);
      this.#hold(false);
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Our own process may end while this one is idle, and may not while it works. */
  #hold(busy: boolean): void {
    const act = busy ? 'ref' : 'unref';
    this.#child[act]();
    this.#child.channel?.[act]();
    (this.#child.stderr as Socket | null | undefined)?.[act]();
  }
}

/** A decoder met what it was not made for: the end of its memory, a fault of its code, a crash. */
export class DecoderFailed extends Error {
  override name = 'DecoderFailed';
  /** Whether it was memory, as far as it came to say so. */
  readonly isSpent: boolean;

  constructor(message: string, { isSpent = false, ...options }: ErrorOptions & { isSpent?: boolean } = {}) {
    super(message, options);
    this.isSpent = isSpent;
  }
}

/** The system took the memory of the process for others, or has none for it: decoders go first. The file may be sound. */
export class DecoderKilled extends DecoderFailed {
  override name = 'DecoderKilled';
  /** As the system calls it. */
  readonly code = 'ENOMEM';
}
