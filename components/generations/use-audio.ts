import { useEffect, useState } from 'react';

export interface Waveform {
  /** Loudest sample of each of the bars, 0 to 1. */
  peaks: readonly number[];
  seconds: number;
}

const BARS = 48;
const LEAST = 0.06;
export const FLAT: Waveform = { peaks: Array.from({ length: BARS }, () => LEAST), seconds: 0 };

/** What audio looks like; a flat line until it is here, and for good when it cannot be read. Without an address nothing is read. */
export function useAudio(url: string | undefined): Waveform {
  const [waveform, setWaveform] = useState(FLAT);
  useEffect(() => {
    if (!url) return;
    const controller = new AbortController();
    readAudio(url, controller.signal).then(setWaveform, () => {
      // the player says what is wrong when it is pressed
    });
    return () => controller.abort();
  }, [url]);
  return waveform;
}

/** Loudness as the server has measured it, 0 to 100, as heights of bars. */
export const toHeights = (peaks: readonly number[]): number[] => peaks.map(peak => Math.max(LEAST, peak / 100));

async function readAudio(url: string, signal: AbortSignal): Promise<Waveform> {
  const response = await fetch(url, { signal });
  const decoded = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(await response.arrayBuffer());
  const samples = decoded.getChannelData(0);
  const size = Math.max(1, Math.floor(samples.length / BARS));
  const peaks = FLAT.peaks.map((_, bar) =>
    samples.subarray(bar * size, (bar + 1) * size).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...peaks, 0.01);
  return { peaks: peaks.map(peak => Math.max(LEAST, peak / loudest)), seconds: decoded.duration };
}
