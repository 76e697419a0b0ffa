import { availableParallelism } from 'node:os';
import { Decoder, DecoderFailed, type ReadRange } from '#lib/media/decoder';
import { FairGate, type Errand } from '#lib/media/fair-gate';
import type { MediaTask, MediaTaskResult } from '#lib/media/media-process';
import { UnusableMedia } from '#lib/media/unusable-media';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

const NOT_DECODED = 'The file cannot be decoded: it is damaged, needs too much memory, or is not what it seems.';

const processors = Math.max(2, Math.min(4, availableParallelism()));

/**
 * Where tasks are done, so that short ones do not stand behind long ones: how many at a time, how long one may take, what its
 * process may hold.
 */
const ROOMS = {
  /** Pictures, sounds, and looking into films. */
  files: { most: processors, seconds: 30, megabytes: 1000 },
  /** Whole films. */
  films: { most: processors, seconds: 180, megabytes: 1000 },
  /** What is read piece by piece from a server that may be slow. */
  servers: { most: 8, seconds: 15, megabytes: 300 },
  /** The classifier, which is loaded once. */
  classifier: { most: 1, seconds: 60, megabytes: 1500 },
} as const;

type Room = keyof typeof ROOMS;

const ROOM_OF: Partial<Record<MediaTask['do'], Room>> = { film: 'films', finish: 'films', classify: 'classifier' };

/** A process is replaced after so many tasks, or when it keeps so many bytes. */
const WORN = { tasks: 200, bytes: 400_000_000 };
const IDLE_MS = 60_000;

interface Place {
  gate: FairGate;
  /** Processes without a task, the last used last. */
  idle: { decoder: Decoder; since: number }[];
}

const placeOf = (room: Room): Place =>
  singleton(`media.${room}`, () => {
    const { most } = ROOMS[room];
    const share = Math.max(1, most - 1);
    return {
      gate: new FairGate({ what: 'files to read', most, mostOfOne: share, waiting: 64, waitingOfOne: 24 }),
      idle: [],
    };
  });

export interface Isolation extends Errand {
  /** Milliseconds, instead of what the task may take. */
  timeout?: number;
  /** Where a file that is not on this disk is read from. */
  read?: ReadRange;
  room?: Room;
}

/**
 * Does a task in a process of its own, within limits of time and memory. A file that is refused, a crash, and whatever goes
 * beyond the limits is an `UnusableMedia` here and nothing more.
 */
export function isolated<T extends MediaTask>(task: T, errand: Isolation = {}): Promise<MediaTaskResult<T>> {
  const room = errand.room ?? ROOM_OF[task.do] ?? 'files';
  return placeOf(room).gate.pass(errand, async () => (await perform(room, task, errand)) as MediaTaskResult<T>);
}

async function perform(room: Room, task: MediaTask, errand: Isolation): Promise<unknown> {
  const { signal, read, timeout } = errand;
  const { idle } = placeOf(room);
  const { megabytes, seconds } = ROOMS[room];
  let decoder = idle.pop()?.decoder;
  while (decoder && !decoder.isAlive) decoder = idle.pop()?.decoder;
  decoder ??= new Decoder({ megabytes, heapMegabytes: 256 });
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
