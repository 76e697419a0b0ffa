import { Decoder, DecoderFailed, type ReadRange } from '#lib/media/decoder';
import { env } from '#lib/env';
import { FairGate, type Errand } from '#lib/media/fair-gate';
import type { MediaTask, MediaTaskResult } from '#lib/media/media-process';
import { UnusableMedia } from '#lib/media/unusable-media';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

const NOT_DECODED = 'The file cannot be decoded: it is damaged, needs too much memory, or is not what it seems.';

/**
 * Where tasks are done, so that short ones do not stand behind long ones: how long one may take, how many are done at a time and
 * what a process may hold, where that is another number than the settings say.
 */
const ROOMS: Record<string, { seconds: number; most?: number; bytes?: number }> = {
  /** Pictures, sounds, and looking into films. */
  files: { seconds: 30 },
  /** Whole films. */
  films: { seconds: 180 },
  /** What is read piece by piece from a server that may be slow. */
  servers: { seconds: 15, most: 8, bytes: 300_000_000 },
  /** The classifier, which is loaded once. */
  classifier: { seconds: 60, most: 1 },
};

const ROOM_OF: Partial<Record<MediaTask['do'], string>> = { film: 'films', finish: 'films', classify: 'classifier' };

/** A process is replaced after so many tasks, or when it keeps so many bytes. */
const WORN = { tasks: 200, bytes: 400_000_000 };
const IDLE_MS = 60_000;
const HEAP_BYTES = 256_000_000;

interface Place {
  gate: FairGate;
  /** Processes without a task, the last used last. */
  idle: { decoder: Decoder; since: number }[];
}

const placeOf = (room: string): Place =>
  singleton(`media.${room}`, () => {
    const { LIMIT_DECODES, LIMIT_DECODES_PER_ACCOUNT, LIMIT_WAITING, LIMIT_WAITING_PER_ACCOUNT } = env();
    const gate = new FairGate({
      what: 'read',
      most: ROOMS[room]?.most ?? LIMIT_DECODES,
      mostOfOne: LIMIT_DECODES_PER_ACCOUNT,
      waiting: LIMIT_WAITING,
      waitingOfOne: LIMIT_WAITING_PER_ACCOUNT,
    });
    return { gate, idle: [] };
  });

export interface Isolation extends Errand {
  /** Milliseconds, instead of what the task may take. */
  timeout?: number;
  /** Where a file that is not on this disk is read from. */
  read?: ReadRange;
  room?: 'servers';
}

/**
 * Does a task in a process of its own, within limits of time and memory. A file that is refused, a crash, and whatever goes
 * beyond the limits is an `UnusableMedia` here and nothing more.
 */
export function isolated<T extends MediaTask>(task: T, errand: Isolation = {}): Promise<MediaTaskResult<T>> {
  const room = errand.room ?? ROOM_OF[task.do] ?? 'files';
  return placeOf(room).gate.pass(errand, async () => (await perform(room, task, errand)) as MediaTaskResult<T>);
}

async function perform(room: string, task: MediaTask, errand: Isolation): Promise<unknown> {
  const { signal, read, timeout } = errand;
  const { idle } = placeOf(room);
  const { seconds, bytes = env().LIMIT_DECODER_BYTES } = ROOMS[room]!;
  let decoder = idle.pop()?.decoder;
  while (decoder && !decoder.isAlive) decoder = idle.pop()?.decoder;
  decoder ??= new Decoder({ bytes, heapBytes: HEAP_BYTES });
  const limit = AbortSignal.timeout(timeout ?? seconds * 1000);
  try {
    return await decoder.run(task, signal ? AbortSignal.any([signal, limit]) : limit, read);
  } catch (cause) {
    signal?.throwIfAborted();
    if (limit.aborted) throw new UnusableMedia('The file takes too long to decode.', { cause });
    if (!(cause instanceof DecoderFailed)) throw cause;
    // what went before may have broken it, so the file gets a process of its own
    if (decoder.tasks > 1) return await perform(room, task, errand);
    log().warn({ err: cause, task: task.do }, 'a decoder failed');
    throw new UnusableMedia(NOT_DECODED, { cause });
  } finally {
    if (decoder.tasks >= WORN.tasks || decoder.memory > WORN.bytes) decoder.kill();
    else if (decoder.isAlive) rest(idle, decoder);
  }
}

/** Keeps a process for the next task; those that had none for a minute end. */
function rest(idle: Place['idle'], decoder: Decoder): void {
  idle.push({ decoder, since: Date.now() });
  setTimeout(() => {
    while (idle[0] && Date.now() - idle[0].since >= IDLE_MS) idle.shift()!.decoder.kill();
  }, IDLE_MS).unref();
}
