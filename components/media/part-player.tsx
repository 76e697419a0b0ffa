'use client';

import { useEffect } from 'react';
import { Pause, Play } from 'lucide-react';
import { useSound } from '#components/generations/use-sound';
import type { Part } from '#components/media/trim-range';
import { IconButton } from '#components/ui/icon-button';

/** A button that plays a part of a sound, and returns to its start at the end. */
export function PartPlayer({ url, part: [start, end] }: { url: string; part: Part }) {
  const { isPlaying, toggle, goTo, sound } = useSound();
  // when the part changes, playback continues from its start
  useEffect(() => goTo(start), [goTo, start]);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- parts of sounds have no captions */}
      <audio
        {...sound}
        src={url}
        onTimeUpdate={({ currentTarget: heard }) => {
          if (heard.currentTime < end) return;
          heard.pause();
          goTo(start);
        }}
      />
      <IconButton
        size="sm"
        label={isPlaying ? 'Pause' : 'Play the part'}
        icon={isPlaying ? <Pause className="size-4" aria-hidden /> : <Play className="size-4" aria-hidden />}
        onClick={toggle}
      />
    </>
  );
}
