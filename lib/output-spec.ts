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
