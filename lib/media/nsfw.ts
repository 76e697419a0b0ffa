import { Piscina } from 'piscina';
import type { MediaKind } from '#lib/media-kind';
import { singleton } from '#lib/singleton';
import { storage } from '#lib/storage/store';
import type { NsfwScores, NsfwTask } from '#lib/media/nsfw-thread';

export interface Verdict {
  nsfw: boolean;
  /** 0..1; `THRESHOLD` and above is nsfw. */
  score: number;
}

/**
 * Where a picture counts as nsfw: most of the probability lies on explicit classes. Painted and procedural pictures stay
 * below 0.3.
 */
export const THRESHOLD = 0.6;

/** One thread, which loads the model with its first task and ends, with all its memory, when it has been idle. */
const pool = () =>
  singleton(
    'nsfw',
    () =>
      new Piscina<NsfwTask, NsfwScores[]>({
        filename: new URL('./nsfw-thread.ts', import.meta.url).href,
        minThreads: 0,
        maxThreads: 1,
        idleTimeout: 60_000,
        atomics: 'disabled',
      }),
  );

/** Classifies an image file, or its encoded bytes. */
export async function classifyImage(image: string | Buffer): Promise<Verdict> {
  return judge(await pool().run({ image }));
}

/** Classifies a video by `samples` frames spread over it: the worst one counts. */
export async function classifyVideo(path: string, samples = 5): Promise<Verdict> {
  return judge(await pool().run({ video: path, samples }));
}

/** Whether a stored output is nsfw. Sound never is. */
export async function classifyMedia(key: string, type: MediaKind): Promise<boolean> {
  if (type === 'audio') return false;
  const classify = type === 'image' ? classifyImage : classifyVideo;
  const { nsfw } = await storage().withFile(key, path => classify(path));
  return nsfw;
}

/** Explicit classes count in full; "sexy" (swimwear, lingerie) alone does not reach the threshold. */
export const scoreOf = ({ porn, hentai, sexy }: NsfwScores): number => porn + hentai + sexy * 0.5;

function judge(pictures: NsfwScores[]): Verdict {
  const score = Math.min(1, Math.max(...pictures.map(scoreOf)));
  return { nsfw: score >= THRESHOLD, score };
}
