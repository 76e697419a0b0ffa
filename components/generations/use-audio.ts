import { useEffect, useState } from 'react';
import { BARS, FLAT, LEAST, type Waveform } from '#components/generations/waveform';

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
