import { useEffect, useState } from 'react';
import { BARS, FLAT, LEAST, type Waveform } from '#components/generations/waveform';

/** Returns the waveform of audio: a flat line until it is read, if it cannot be read, or without a source. */
export function useAudio(source: string | File | undefined): Waveform {
  const [waveform, setWaveform] = useState(FLAT);
  useEffect(() => {
    if (!source) return;
    const controller = new AbortController();
    readAudio(source, controller.signal).then(setWaveform, () => {
      // the player reports the error when the user presses play
    });
    return () => controller.abort();
  }, [source]);
  return waveform;
}

async function readAudio(source: string | File, signal: AbortSignal): Promise<Waveform> {
  // a `File` is read directly: it has no URL that the content security policy allows to fetch
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
