import type { MediaKind } from '#lib/media-kind';

/** Required properties of an output, derived by the catalog from the chosen tokens. */
export interface OutputSpec {
  type: MediaKind;
  /** Width in pixels, like `height`; 0 for audio. */
  width: number;
  height: number;
  /** Length in seconds; 0 for images. */
  duration: number;
  /** Frames per second; 0 for anything but video. */
  fps: number;
  /** Whether a video has an audio track; true for audio. */
  sound: boolean;
  /** Sample rate of the sound in hertz, if there is sound. */
  sampleRate: number;
}

/** Returns width divided by height of an aspect ratio such as `16:9`. */
export function ratioOf(shape: string): number {
  const [width = 1, height = 1] = shape.split(':').map(Number);
  return width / height;
}

/** Returns the token whose value (by default its aspect ratio) is nearest to `wanted`, on a logarithmic scale. */
export function nearestToken(tokens: readonly string[], wanted: number, valueOf = ratioOf): string | undefined {
  const farness = (token: string) => Math.abs(Math.log(valueOf(token) / wanted));
  return tokens.toSorted((a, b) => farness(a) - farness(b))[0];
}
