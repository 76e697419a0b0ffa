import { writeFileSync } from 'node:fs';
import type { ClipFacts } from '#lib/media/normalize-clip';
import type { Preview } from '#lib/media/make-preview';
import type { MediaFacts } from '#lib/media/media-facts';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

/** What the process for hostile files can be asked to do. */
export type MediaTask =
  | { do: 'probe'; path: string; type: MediaType }
  | { do: 'image'; path: string; to: string }
  | { do: 'clip'; path: string; to: string; maxSeconds: number }
  | { do: 'preview'; path: string; type: MediaType; to: string };

export type MediaTaskResult<T extends MediaTask> = T extends { do: 'clip' }
  ? ClipFacts
  : T extends { do: 'preview' }
    ? Preview
    : MediaFacts;

const MEMORY_BYTES = 1_000_000_000;

async function perform(task: MediaTask): Promise<MediaFacts | ClipFacts | Preview> {
  switch (task.do) {
    case 'probe':
      return task.type.startsWith('image/')
        ? (await import('#lib/media/probe-image')).probeImage(task.path, task.type)
        : (await import('#lib/media/probe-av')).probeAv(task.path, task.type);
    case 'image':
      return (await import('#lib/media/normalize-image')).reencodeImage(task.path, task.to);
    case 'clip':
      return (await import('#lib/media/normalize-clip')).reencodeClip(task.path, task.to, task.maxSeconds);
    case 'preview':
      return (await import('#lib/media/make-preview')).makePreview(task.path, task.type, task.to);
  }
}

function limitMemory(): void {
  // decoders work on threads of their own, so this one is free to look
  setInterval(() => {
    if (process.memoryUsage.rss() > MEMORY_BYTES) process.kill(process.pid, 'SIGKILL');
  }, 20).unref();
  try {
    // when memory runs out all the same, this process goes first and the server stays
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // not Linux
  }
}

async function main(): Promise<void> {
  limitMemory();
  const task = JSON.parse(process.argv[2]!) as MediaTask;
  const answer = await perform(task).then(
    value => ({ value }),
    error => {
      if (error instanceof UnusableMedia) return { refusal: error.message };
      throw error;
    },
  );
  // threads of decoders may still be idle; there is nothing left to wait for
  process.send!(answer, () => process.exit(0));
}

await main();
