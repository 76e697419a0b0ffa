'use client';

import { useState } from 'react';
import { useAudio } from '#components/generations/use-audio';
import { PartPlayer } from '#components/media/part-player';
import { TrimRange, type Part } from '#components/media/trim-range';
import { Button } from '#components/ui/button';
import { SoundWave } from '#components/ui/sound-wave';

/** Selects the part to keep of a sound that is longer than allowed. */
export function ClipCutter({
  file,
  url,
  seconds,
  most,
  isBusy,
  onKeep,
  onLeave,
}: {
  file: File;
  /** URL of the same sound, for playback. */
  url: string;
  /** Length of the whole sound. */
  seconds: number;
  /** Maximum length of the part, in seconds. */
  most: number;
  isBusy: boolean;
  onKeep: (part: Part) => void;
  onLeave: () => void;
}) {
  const [part, setPart] = useState<Part>([0, Math.min(most, seconds)]);
  const { peaks } = useAudio(file);
  return (
    <div className="grid w-full gap-2.5">
      <div className="relative text-accent-ink">
        <SoundWave peaks={peaks} className="h-12" />
        <TrimRange seconds={seconds} part={part} most={most} onChange={setPart} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <PartPlayer url={url} part={part} />
        <output className="figures grow text-xs text-soft">
          {(part[1] - part[0]).toFixed(1)} of {seconds.toFixed(1)} s are kept
        </output>
        <Button size="sm" tone="ghost" onClick={onLeave}>
          Discard
        </Button>
        <Button size="sm" tone="primary" busy={isBusy} onClick={() => onKeep(part)}>
          Keep this part
        </Button>
      </div>
    </div>
  );
}
