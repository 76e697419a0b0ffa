import { useEffect, useState } from 'react';
import { BARS, FLAT, LEAST, type Waveform } from '#components/generations/waveform';

/** What audio looks like; a flat line until it is here, and for good when it cannot be read. Of nothing, nothing is read. */
export function useAudio(source: string | File | undefined): Waveform {
  const [waveform, setWaveform] = useState(FLAT);
  useEffect(() => {
    if (!source) return;
    const controller = new AbortController();
    readAudio(source, controller.signal).then(setWaveform, () => {
      // the player says what is wrong when it is pressed
    });
    return () => controller.abort();
  }, [source]);
  return waveform;
}

async function readAudio(source: string | File, signal: AbortSignal): Promise<Waveform> {
  // a file has no address that the content policy lets anybody fetch
  const bytes = await (typeof source === 'string' ? await fetch(source, { signal }) : source).arrayBuffer();
  const decoded = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(bytes);
  const samples = decoded.getChannelData(0);
  const size = Math.max(1, Math.floor(samples.length / BARS));
  const peaks = FLAT.peaks.map((_, bar) =>
    samples.subarray(bar * size, (bar + 1) * size).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...peaks, 0.01);
  return { peaks: peaks.map(peak => Math.max(LEAST, peak / loudest)), seconds: decoded.duration };
}
