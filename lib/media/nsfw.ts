import { isolated } from '#lib/media/isolated';
import type { NsfwScores } from '#lib/media/score-nsfw';

interface Verdict {
  nsfw: boolean;
  /** 0..1; `THRESHOLD` and above is nsfw. */
  score: number;
}

/**
 * Where a picture counts as nsfw: most of the probability lies on explicit classes. Painted and procedural pictures stay
 * below 0.3.
 */
export const THRESHOLD = 0.6;

/** Classifies an image file. */
export async function classifyImage(path: string): Promise<Verdict> {
  return judge(await isolated({ do: 'classify', image: path }));
}

/** Classifies a video by `samples` frames spread over it: the worst one counts. */
export async function classifyVideo(path: string, samples = 5): Promise<Verdict> {
  return judge(await isolated({ do: 'classify', video: path, samples }));
}

/** Explicit classes count in full; "sexy" (swimwear, lingerie) alone does not reach the threshold. */
export const scoreOf = ({ porn, hentai, sexy }: NsfwScores): number => porn + hentai + sexy * 0.5;

/** The worst picture counts. */
export function judge(pictures: NsfwScores[]): Verdict {
  const score = Math.min(1, Math.max(...pictures.map(scoreOf)));
  return { nsfw: score >= THRESHOLD, score };
}
