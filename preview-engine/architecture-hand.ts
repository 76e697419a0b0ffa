import { createRandom, hashText } from '#preview-engine/random';
import type { Hand } from '#preview-engine/stage';

/** Returns the hand of an architecture, derived from its id. */
export function architectureHand(architecture: string): Hand {
  const random = createRandom(hashText(architecture));
  return {
    warmth: (random() - 0.5) * 0.12,
    chroma: 0.9 + random() * 0.28,
    roughness: random(),
    grain: 0.5 + random(),
    vignette: 0.12 + random() * 0.14,
    bloom: 0.8 + random() * 0.4,
  };
}
