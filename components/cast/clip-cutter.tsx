'use client';

import { useEffect, useState } from 'react';
import { Pause, Play } from 'lucide-react';
import { useAudio } from '#components/generations/use-audio';
import { useSound } from '#components/generations/use-sound';
import { TrimRange, type Part } from '#components/media/trim-range';
import { Button } from '#components/ui/button';
import { IconButton } from '#components/ui/icon-button';
import { SoundWave } from '#components/ui/sound-wave';

/** A sound that is longer than what is kept: which part of it is. */
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
  /** Of the same, to hear it. */
  url: string;
  /** Length of the whole. */
  seconds: number;
  /** What is kept at most. */
  most: number;
  isBusy: boolean;
  onKeep: (part: Part) => void;
  onLeave: () => void;
}) {
  const [part, setPart] = useState<Part>([0, Math.min(most, seconds)]);
  const { isPlaying, toggle, goTo, sound } = useSound();
  const { peaks } = useAudio(file);
  const start = part[0];
  // hearing goes on from where the part begins
  useEffect(() => goTo(start), [goTo, start]);
  return (
    <div className="grid w-full gap-2.5">
      <div className="relative text-accent-ink">
        <SoundWave peaks={peaks} className="h-12" />
        <TrimRange seconds={seconds} part={part} most={most} onChange={setPart} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a voice of a few seconds has no captions */}
        <audio
          {...sound}
          src={url}
          onTimeUpdate={({ currentTarget: heard }) => {
            if (heard.currentTime < part[1]) return;
            heard.pause();
            goTo(start);
          }}
        />
        <IconButton
          size="sm"
          label={isPlaying ? 'Pause' : 'Hear the part'}
          icon={isPlaying ? <Pause className="size-4" aria-hidden /> : <Play className="size-4" aria-hidden />}
          onClick={toggle}
        />
        <output className="figures grow text-xs text-soft">
          {(part[1] - start).toFixed(1)} of {seconds.toFixed(1)} s are kept
        </output>
        <Button size="sm" tone="ghost" onClick={onLeave}>
          Leave it
        </Button>
        <Button size="sm" tone="primary" busy={isBusy} onClick={() => onKeep(part)}>
          Keep this part
        </Button>
      </div>
    </div>
  );
}
