'use client';

import { useEffect, useState } from 'react';
import type { Part } from '#components/media/trim-range';

interface Long {
  file: File;
  url: string;
  seconds: number;
}

/** Lets through sounds of at most `most` seconds; of a longer one a part is chosen first. */
export function useClipPart(most: number, onClip: (file: File) => void) {
  const [long, setLong] = useState<Long>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (long) return () => URL.revokeObjectURL(long.url);
    return undefined;
  }, [long]);

  /** `asIs` takes what is short enough. */
  async function give(file: File, asIs = () => onClip(file)) {
    const seconds = await lengthOf(file);
    if (seconds <= most) return asIs();
    setLong({ file, url: URL.createObjectURL(file), seconds });
  }
  async function keep(part: Part) {
    if (!long) return;
    setBusy(true);
    const { cutAudio } = await import('#components/media/cut-audio');
    onClip(new File([await cutAudio(long.file, ...part)], `${long.file.name}.wav`, { type: 'audio/wav' }));
    setBusy(false);
    setLong(undefined);
  }
  return { long, isBusy, give, keep, leave: () => setLong(undefined) };
}

/** Seconds; 0 of what the browser cannot read, which the server will judge. */
async function lengthOf(file: File): Promise<number> {
  try {
    const context = new OfflineAudioContext(1, 1, 8000);
    return (await context.decodeAudioData(await file.arrayBuffer())).duration;
  } catch {
    return 0;
  }
}
