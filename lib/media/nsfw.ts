import { isolated } from '#lib/media/isolated';
import type { NsfwScores } from '#lib/media/score-nsfw';

interface Verdict {
  nsfw: boolean;
  /** 0 to 1; nsfw from `THRESHOLD` on. */
  score: number;
}

/**
 * Score from which an image counts as nsfw: most of the probability is on explicit classes. Painted and procedural
 * images stay below 0.3.
 */
export const THRESHOLD = 0.6;

/** Classifies an image file. */
export async function classifyImage(path: string): Promise<Verdict> {
  return judge(await isolated({ do: 'classify', image: path }));
}

/** Classifies a video by the highest score of `samples` frames, evenly spread over it. */
export async function classifyVideo(path: string, samples = 5): Promise<Verdict> {
  return judge(await isolated({ do: 'classify', video: path, samples }));
}

/** Returns the score of an image. Explicit classes count in full; "sexy" (swimwear) alone stays below the threshold. */
export const scoreOf = ({ porn, hentai, sexy }: NsfwScores): number => porn + hentai + sexy * 0.5;

/** Returns the verdict for a set of images: the highest score counts. */
export function judge(pictures: NsfwScores[]): Verdict {
  const score = Math.min(1, Math.max(...pictures.map(scoreOf)));
  return { nsfw: score >= THRESHOLD, score };
}
