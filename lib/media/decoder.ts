import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { MediaAnswer, MediaTask, PieceWanted } from '#lib/media/media-task';
import type { ReadRange } from '#lib/media/probe-av';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Heap limit of a decoder process: its JavaScript needs little, but tables of hostile files could grow large. */
const HEAP_MEGABYTES = 256;

/** Address space that V8 reserves for code: it counts towards `ulimit -d` although little of it is used. */
const RESERVED_BYTES = process.arch === 'x64' ? 600_000_000 : 200_000_000;

/** A process that decodes one file at a time, with limits and without the server's environment: files may be hostile. */
export class Decoder {
  /** Number of tasks given to this process. */
  tasks = 0;
  /** Memory held after the last task, in bytes. */
  memory = 0;
  readonly #child: ChildProcess;
  #complaints = '';

  /** Starts a process that may hold `bytes` of memory. */
  constructor(bytes: number) {
    const flags = [`--max-old-space-size=${HEAP_MEGABYTES}`, '--disable-warning=ExperimentalWarning'];
    // a shell sets the limit, which Node cannot do: the kernel then refuses any allocation beyond it
    const limit = `ulimit -d ${Math.round((bytes + RESERVED_BYTES) / 1024)}`;
    const script = `(${limit}) && ${limit}; ulimit -c 0; exec "$0" "$@"`;
    const walled = { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...flags] };
    this.#child = fork(join(/* turbopackIgnore: true */ process.cwd(), 'lib/media/media-process.ts'), [], {
      ...(process.platform === 'win32' ? { execArgv: flags } : walled),
      // glibc keeps memory that decoding has freed unless these settings make it return the memory
      env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '100000', UV_THREADPOOL_SIZE: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    // `run` handles errors; without a listener here, an error between tasks would end this process
    this.#child.on('error', () => {});
    // stderr is missing when the process could not be started for lack of file descriptors
    this.#child.stderr?.on('data', (text: Buffer) => (this.#complaints = (this.#complaints + text).slice(-2000)));
    this.#hold(false);
  }

  /** Whether the process can take another task. */
  get isAlive(): boolean {
    return this.#child.connected && !this.#child.killed;
  }

  /**
   * Performs one task. Rejects with `UnusableMedia` when the file is refused, with the signal's reason when it is
   * aborted (which kills the process), with `DecoderFailed` when the decoder or its process fails, with `DecoderKilled`
   * when the system ended the process, and with an error of code `ENOSPC` when the disk is full.
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
      // when this class killed the process, the promise has been rejected already
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
      // a process that could not start emits its `error` event shortly
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

  /** Lets the parent process exit while this one is idle, but not while it is busy. */
  #hold(busy: boolean): void {
    const act = busy ? 'ref' : 'unref';
    this.#child[act]();
    this.#child.channel?.[act]();
    (this.#child.stderr as Socket | null | undefined)?.[act]();
  }
}

/** A decoder failed in an unexpected way: it ran out of memory, threw an unknown error, or crashed. */
export class DecoderFailed extends Error {
  override name = 'DecoderFailed';
  /** Whether the decoder reported a lack of memory; a crash reports nothing. */
  readonly isSpent: boolean;

  constructor(message: string, { isSpent = false, ...options }: ErrorOptions & { isSpent?: boolean } = {}) {
    super(message, options);
    this.isSpent = isSpent;
  }
}

/** The system killed the process to free memory, or could not start it. The file may be intact. */
export class DecoderKilled extends DecoderFailed {
  override name = 'DecoderKilled';
  /** The system's error code for a lack of memory. */
  readonly code = 'ENOMEM';
}
