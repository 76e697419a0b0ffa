import type { EngineJob } from '#lib/engines/engine';
import { architectureHand } from '#preview-engine/architecture-hand';
import { createNoise } from '#preview-engine/noise';
import { choosePalette } from '#preview-engine/palette';
import { between, createRandom, hashText } from '#preview-engine/random';
import { readPrompt } from '#preview-engine/read-prompt';
import type { Stage } from '#preview-engine/stage';

/** Reads the job and chooses size, palette and the position of the light. */
export function setStage(job: EngineJob, width: number, height: number, margin: number): Stage {
  const negative = job.config['negative_prompt'];
  const reading = readPrompt(job.prompt, typeof negative === 'string' ? negative : '');
  const hand = architectureHand(job.architecture);
  const seed = (job.seed ^ Math.imul(hashText(job.architecture), 3) ^ Math.imul(reading.unknown, 7)) >>> 0;
  const random = createRandom(seed);
  const palette = choosePalette(reading, random, hand);
  const horizon = Math.round(height * between(random, 0.48, 0.7));
  const low = palette.darkness < 0.75 && palette.darkness > 0.04;
  const side = random() < 0.5 ? between(random, 0.18, 0.42) : between(random, 0.58, 0.82);
  const { weathers } = reading;
  return {
    prompt: job.prompt,
    width: width + margin * 2,
    height,
    margin,
    horizon,
    unit: Math.min(width, height * 1.25),
    light: {
      x: margin + width * side,
      y:
        low && !weathers.has('moon')
          ? horizon - height * between(random, 0.03, 0.2)
          : height * between(random, 0.12, 0.3),
      shown: !weathers.has('storm') && !weathers.has('rain') && !(weathers.has('aurora') && !weathers.has('moon')),
    },
    palette,
    reading,
    hand,
    random,
    seed,
    noise: createNoise(seed),
  };
}
