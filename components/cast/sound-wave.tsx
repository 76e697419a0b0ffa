'use client';

import { useEffect, useState } from 'react';
import { cn } from '#components/ui/cn';

export interface Sound {
  /** Loudest sample of each of the bars, 0 to 1. */
  peaks: readonly number[];
  seconds: number;
}

const BARS = 48;

/** Bars as high as the sound is loud; those before `part` (0 to 1) have been heard. */
export function SoundWave({
  peaks,
  part = 1,
  className,
}: {
  peaks: readonly number[];
  part?: number;
  className?: string;
}) {
  return (
    <svg
      viewBox={`0 0 ${peaks.length * 4} 40`}
      preserveAspectRatio="none"
      aria-hidden
      className={cn('h-8 w-full', className)}
    >
      {peaks.map((peak, index) => (
        <rect
          key={index}
          x={index * 4 + 0.8}
          y={20 - Math.max(1, peak * 19)}
          width="2.4"
          height={Math.max(2, peak * 38)}
          rx="1.2"
          fill="currentColor"
          opacity={(index + 0.5) / peaks.length <= part ? 1 : 0.38}
        />
      ))}
    </svg>
  );
}

const FLAT: Sound = { peaks: Array.from({ length: BARS }, () => 0.06), seconds: 0 };

/** What a sound looks like; a flat line until it is here, and for good when it cannot be read. */
export function useSound(url: string): Sound {
  const [sound, setSound] = useState(FLAT);
  useEffect(() => {
    const controller = new AbortController();
    readSound(url, controller.signal).then(setSound, () => {
      // the player says what is wrong when it is pressed
    });
    return () => controller.abort();
  }, [url]);
  return sound;
}

async function readSound(url: string, signal: AbortSignal): Promise<Sound> {
  const response = await fetch(url, { signal });
  const decoded = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(await response.arrayBuffer());
  const samples = decoded.getChannelData(0);
  const size = Math.max(1, Math.floor(samples.length / BARS));
  const peaks = FLAT.peaks.map((_, bar) =>
    samples.subarray(bar * size, (bar + 1) * size).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...peaks, 0.01);
  return { peaks: peaks.map(peak => Math.max(0.06, peak / loudest)), seconds: decoded.duration };
}
