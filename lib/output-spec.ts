import type { MediaKind } from '#lib/media-kind';

/** What the output must be, derived by the catalog from the chosen tokens. */
export interface OutputSpec {
  type: MediaKind;
  /** Pixels; 0 for audio. */
  width: number;
  height: number;
  /** Seconds; 0 for images. */
  duration: number;
  /** Frames per second; 0 unless video. */
  fps: number;
  /** Whether a video carries sound; true for audio. */
  sound: boolean;
  /** Hertz; of the sound, when there is any. */
  sampleRate: number;
}

/** Width over height of a shape such as `16:9`. */
export function ratioOf(shape: string): number {
  const [width = 1, height = 1] = shape.split(':').map(Number);
  return width / height;
}

/** The token that stands for what is nearest to a shape, or to what else `valueOf` gives; twice of it is as far as half. */
export function nearestToken(tokens: readonly string[], wanted: number, valueOf = ratioOf): string | undefined {
  const farness = (token: string) => Math.abs(Math.log(valueOf(token) / wanted));
  return tokens.toSorted((a, b) => farness(a) - farness(b))[0];
}
