import { availableParallelism } from 'node:os';
import type { MediaKind } from '#lib/media-kind';
import { env } from '#lib/env';
import { DecoderFailed, DecoderKilled } from '#lib/media/decoder';
import { noteLimit } from '#lib/limits';
import { DecoderRoom, IDLE_MS, type Isolation } from '#lib/media/decoder-room';
import type { MediaTask, MediaTaskResult } from '#lib/media/media-task';
import { UnusableMedia } from '#lib/media/unusable-media';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Maximum number of concurrent CPU-bound tasks per account: at least one processor is left for other work. */
const mostOfOne = () => Math.min(env().LIMIT_DECODES_PER_ACCOUNT, Math.max(1, availableParallelism() - 1));

/** Pools of decoders, separate so that short tasks do not wait behind long ones, nor small ones behind large ones. */
const ROOMS = {
  /** Images, audio, and the inspection and renditions of videos. */
  files: () => ({ most: env().LIMIT_DECODES, mostOfOne: mostOfOne(), bytes: env().LIMIT_DECODER_BYTES }),
  /** Whole videos. */
  videos: () => ({ most: env().LIMIT_DECODES, mostOfOne: mostOfOne(), bytes: env().LIMIT_DECODER_BYTES }),
  /** Files read in ranges from servers, which may be slow. */
  servers: () => ({ most: env().LIMIT_DECODES * 2, bytes: env().LIMIT_DECODER_BYTES }),
  /** Tasks that need more memory than the other pools have. */
  large: () => ({ most: 1, isCounted: false, bytes: env().LIMIT_LARGE_DECODER_BYTES }),
  /** The classifier: one process, so that its model is loaded only once. */
  classifier: () => ({ most: 1, isCounted: false, bytes: env().LIMIT_LARGE_DECODER_BYTES }),
};

/** The pool that a task is tried in first, and its timeout in seconds. */
const TASKS: Record<Exclude<MediaTask['do'], 'prepare'>, { room: keyof typeof ROOMS; seconds: number }> = {
  probe: { room: 'files', seconds: 60 },
  measure: { room: 'servers', seconds: 15 },
  image: { room: 'files', seconds: 60 },
  clip: { room: 'files', seconds: 60 },
  renditions: { room: 'files', seconds: 60 },
  video: { room: 'videos', seconds: 180 },
  finish: { room: 'videos', seconds: 180 },
  classify: { room: 'classifier', seconds: 60 },
};

const roomOf = (name: keyof typeof ROOMS): DecoderRoom =>
  singleton(`media.${name}`, () => new DecoderRoom(ROOMS[name]()));

/**
 * Performs a task in a decoder process, within limits of time and memory. Throws `UnusableMedia` when the file is
 * refused, crashes the decoder or exceeds a limit, and `DecoderKilled` when the system ends the process on the retry.
 */
export async function isolated<T extends MediaTask>(task: T, errand: Isolation = {}): Promise<MediaTaskResult<T>> {
  const { room, seconds } = TASKS[task.do === 'prepare' ? task.next : task.do];
  const milliseconds = errand.timeout ?? seconds * 1000;
  const tryIn = async (name: keyof typeof ROOMS) =>
    (await roomOf(name).do(task, milliseconds, errand)) as MediaTaskResult<T>;
  try {
    return await tryIn(room);
  } catch (error) {
    if (!(error instanceof DecoderFailed)) throw error;
    if (error.isSpent) noteLimit('LIMIT_DECODER_BYTES');
  }
  try {
    // the process had too little memory, or an earlier task had damaged its state
    return await tryIn('large');
  } catch (error) {
    if (!(error instanceof DecoderFailed) || error instanceof DecoderKilled) throw error;
    log().warn({ err: error, task: task.do }, 'decoder failed');
    if (error.isSpent) noteLimit('LIMIT_LARGE_DECODER_BYTES');
    throw new UnusableMedia(error.isSpent ? TOO_LARGE : NOT_DECODED, { cause: error });
  }
}

/** Prepares processes for an output in progress, because starting one takes a second or two. Never rejects. */
export async function prepareForOutput(kind: MediaKind): Promise<void> {
  await Promise.all(
    STEPS.filter(next => next !== 'classify' || kind !== 'audio').map(
      // a failure is ignored here: it occurs again, and is reported, when the process is needed
      next => (preparing[next] ??= isolated({ do: 'prepare', next }).then(settled(next), settled(next))),
    ),
  );
}

/** Like `prepareForOutput`, repeated so that no prepared process is ended as idle. Returns a function that stops it. */
export function keepReadyForOutput(kind: MediaKind): () => void {
  void prepareForOutput(kind);
  const timer = setInterval(() => void prepareForOutput(kind), READY_MS);
  return () => clearInterval(timer);
}

/** Interval between preparations, shorter than the lifetime of an idle process. */
const READY_MS = IDLE_MS * 0.75;

const STEPS = ['finish', 'renditions', 'classify'] as const;
type Step = (typeof STEPS)[number];

/** Preparations in progress: outputs that begin at the same time share one process of each kind. */
const preparing: Partial<Record<Step, Promise<void>>> = {};
const settled = (next: Step) => () => void delete preparing[next];

const TOO_LARGE = 'The file needs more memory than decoding it may take. Send a smaller one.';
const NOT_DECODED = 'The file cannot be decoded: it is damaged, needs too much memory, or is not what it seems.';
