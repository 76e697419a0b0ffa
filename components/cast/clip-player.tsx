'use client';

import { useState } from 'react';
import { Pause, Play } from 'lucide-react';
import { useAudio } from '#components/generations/use-audio';
import { useSound } from '#components/generations/use-sound';
import { toHeights } from '#components/generations/waveform';
import { cn } from '#components/ui/cn';
import { SoundWave } from '#components/ui/sound-wave';

/** A sound with its waveform, as a button that plays and stops it. Only one sound plays at a time. */
export function ClipPlayer({
  url,
  label,
  peaks,
  className,
}: {
  url: string;
  label: string;
  /** Loudness measured by the server; empty until then. Omitted for a short sound, which the browser decodes. */
  peaks?: readonly number[];
  className: string;
}) {
  const { isPlaying, time, toggle, goTo, sound } = useSound(label);
  const read = useAudio(peaks ? undefined : url);
  const heights = peaks?.length ? toHeights(peaks) : read.peaks;
  const [heard, setHeard] = useState(0);
  const seconds = read.seconds || heard;
  const Icon = isPlaying ? Pause : Play;
  return (
    <button
      type="button"
      onClick={toggle}
      className={cn(
        'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 rounded-full bg-raised p-1.5 pr-4 text-left text-ink focus-visible:rounded-full',
        className,
      )}
    >
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- voice clips of a few seconds have no captions */}
      <audio
        {...sound}
        src={url}
        preload="none"
        onEnded={() => goTo(0)}
        onLoadedMetadata={event => setHeard(event.currentTarget.duration)}
      />
      <span className="grid size-8 place-items-center rounded-full bg-accent text-on-accent">
        <Icon className="size-3.5 fill-current" aria-hidden />
        <span className="sr-only">{`${isPlaying ? 'Stop' : 'Play'} ${label}`}</span>
      </span>
      <SoundWave peaks={heights} part={time && seconds ? time / seconds : 1} className="h-7 text-accent-ink" />
      <span className="figures min-w-7 text-right text-xs text-soft">{seconds ? `${seconds.toFixed(0)} s` : ''}</span>
    </button>
  );
}
