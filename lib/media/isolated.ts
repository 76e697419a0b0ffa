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

/** What an account has at a time of what keeps a processor busy: it leaves one to whoever answers everybody else. */
const mostOfOne = () => Math.min(env().LIMIT_DECODES_PER_ACCOUNT, Math.max(1, availableParallelism() - 1));

/** Where tasks are done, so that short ones do not stand behind long ones, and small ones beside large ones. */
const ROOMS = {
  /** Images, audio, and looking into videos. */
  files: () => ({ most: env().LIMIT_DECODES, mostOfOne: mostOfOne(), bytes: env().LIMIT_DECODER_BYTES }),
  /** Whole videos. */
  videos: () => ({ most: env().LIMIT_DECODES, mostOfOne: mostOfOne(), bytes: env().LIMIT_DECODER_BYTES }),
  /** What is read piece by piece from servers, which may be slow. */
  servers: () => ({ most: env().LIMIT_DECODES * 2, bytes: env().LIMIT_DECODER_BYTES }),
  /** What needs more memory than the others have. */
  large: () => ({ most: 1, bytes: env().LIMIT_LARGE_DECODER_BYTES }),
  /** The classifier, which is loaded once. */
  classifier: () => ({ most: 1, bytes: env().LIMIT_LARGE_DECODER_BYTES }),
};

/** Where a task is done first, and the seconds that it may take. */
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
 * Does a task in a process of its own, within limits of time and memory. A file that is refused, a crash, and whatever goes
 * beyond the limits is an `UnusableMedia` here and nothing more; a process that the system ended twice is `DecoderKilled`.
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
    // its process had too little memory, or was spoilt by what it did before
    return await tryIn('large');
  } catch (error) {
    if (!(error instanceof DecoderFailed) || error instanceof DecoderKilled) throw error;
    log().warn({ err: error, task: task.do }, 'a decoder failed');
    if (error.isSpent) noteLimit('LIMIT_LARGE_DECODER_BYTES');
    throw new UnusableMedia(error.isSpent ? TOO_LARGE : NOT_DECODED, { cause: error });
  }
}

/** Has processes ready for an output that is being made: one that has to be started first takes a second or two. Never throws. */
export async function prepareForOutput(kind: MediaKind): Promise<void> {
  await Promise.all(
    STEPS.filter(next => next !== 'classify' || kind !== 'audio').map(
      // what fails here fails again where it is needed, and is told there
      next => (preparing[next] ??= isolated({ do: 'prepare', next }).then(settled(next), settled(next))),
    ),
  );
}

/** The same for as long as the output is being made: one that waits for a minute ends. Gives what ends it. */
export function keepReadyForOutput(kind: MediaKind): () => void {
  void prepareForOutput(kind);
  const timer = setInterval(() => void prepareForOutput(kind), READY_MS);
  return () => clearInterval(timer);
}

/** Often enough that none that is ready ends. */
const READY_MS = IDLE_MS * 0.75;

const STEPS = ['finish', 'renditions', 'classify'] as const;
type Step = (typeof STEPS)[number];

/** Many outputs that begin at a time need one more process of each kind, not many. */
const preparing: Partial<Record<Step, Promise<void>>> = {};
const settled = (next: Step) => () => void delete preparing[next];

const TOO_LARGE = 'The file needs more memory than decoding it may take. Send a smaller one.';
const NOT_DECODED = 'The file cannot be decoded: it is damaged, needs too much memory, or is not what it seems.';
