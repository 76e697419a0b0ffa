export interface Waveform {
  /** Loudest sample of each bar, 0 to 1. */
  peaks: readonly number[];
  seconds: number;
}

export const BARS = 48;
export const LEAST = 0.06;
export const FLAT: Waveform = { peaks: Array.from({ length: BARS }, () => LEAST), seconds: 0 };

/** Converts the loudness measured by the server (0 to 100) to heights of bars. */
export const toHeights = (peaks: readonly number[]): number[] => peaks.map(peak => Math.max(LEAST, peak / 100));
