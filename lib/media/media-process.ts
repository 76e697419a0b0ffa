import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { MediaAnswer, MediaTask, PieceWanted } from '#lib/media/media-task';
import { UnusableMedia } from '#lib/media/unusable-media';
import { saysNoRoom } from '#lib/process/disk-away';

interface Piece {
  piece: number;
  bytes: Uint8Array;
}

const wanted = new Map<number, (bytes: Uint8Array) => void>();
let pieces = 0;

function readPiece(start: number, end: number): Promise<Uint8Array> {
  const piece = pieces++;
  process.send!({ piece, start, end } satisfies PieceWanted);
  return new Promise(arrive => wanted.set(piece, arrive));
}

async function perform(task: MediaTask): Promise<unknown> {
  switch (task.do) {
    case 'probe':
      return task.type.startsWith('image/')
        ? (await import('#lib/media/probe-image')).probeImage(task.path, task.type)
        : (await import('#lib/media/probe-av')).probeAv(task.path, task.type);
    case 'measure':
      return (await import('#lib/media/probe-av')).measureAv(task.bytes, readPiece, task.type);
    case 'image':
      return (await import('#lib/media/normalize-image')).reencodeImage(task.path, task.to, task.maxSide);
    case 'video':
      return (await import('#lib/media/remake-video')).remakeVideo(task.path, task.to, task);
    case 'clip':
      return (await import('#lib/media/normalize-clip')).reencodeClip(task.path, task.to, task.maxSeconds);
    case 'finish':
      return (await import('#lib/media/finish-output')).finishOutput(task);
    case 'renditions':
      return (await import('#lib/media/make-renditions')).makeRenditions(task.path, task.kind, task.folder);
    case 'classify':
      return (await import('#lib/media/score-nsfw')).default(task);
    case 'prepare':
      return PREPARATIONS[task.next]();
  }
}

/** Loads the modules that a task needs, which takes longer than most tasks. */
const PREPARATIONS = {
  finish: async () => void (await import('#lib/media/finish-output')),
  renditions: async () => void (await import('#lib/media/make-renditions')),
  classify: async () => (await import('#lib/media/score-nsfw')).warmUp(),
};

async function answer(task: MediaTask): Promise<void> {
  const outcome = await perform(task).then(
    value => ({ value }),
    (error: unknown) => {
      const isSpent = wantsMemory(error);
      const hasNoRoom = saysNoRoom(error);
      if (error instanceof UnusableMedia && !isSpent && !hasNoRoom) return { refusal: error.message };
      return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error), isSpent, hasNoRoom };
    },
  );
  process.send!({ ...outcome, memory: process.memoryUsage.rss() } satisfies MediaAnswer);
}

/** Whether a decoder ran out of memory, by its message. A thread that cannot be created has no memory for its stack. */
const wantsMemory = (error: unknown): boolean =>
  error instanceof Error && (/memory|creating thread/i.test(error.message) || wantsMemory(error.cause));

/** Yields the processor to the servers, and makes the system kill this process first when memory runs out. */
function stepBack(): void {
  setPriority(10);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // not Linux
  }
}

stepBack();
// exits with its parent: threads of decoders would keep the process alive
process.on('disconnect', () => process.exit());
process.on('message', (message: MediaTask | Piece) => {
  if ('do' in message) return void answer(message);
  wanted.get(message.piece)?.(message.bytes);
  wanted.delete(message.piece);
});
