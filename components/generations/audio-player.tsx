'use client';

import { Pause, Play } from 'lucide-react';
import { useAudio } from '#components/generations/use-audio';
import { useSound } from '#components/generations/use-sound';
import { toHeights } from '#components/generations/waveform';
import { clockOf } from '#components/generations/words';
import { cn } from '#components/ui/cn';
import { SoundWave } from '#components/ui/sound-wave';
import type { ResultWire } from '#lib/contract/schemas';

/** An audio player with a waveform for seeking, in the colour of the surrounding text. Only one plays at a time. */
export function AudioPlayer({
  result,
  className,
}: {
  result: Pick<ResultWire, 'url' | 'peaks' | 'duration'>;
  className?: string | undefined;
}) {
  const { url, peaks, duration = 0 } = result;
  const { isPlaying, time, toggle, goTo, sound } = useSound();
  const read = useAudio(peaks?.length ? undefined : url);
  const seconds = duration || read.seconds;
  const Icon = isPlaying ? Pause : Play;
  return (
    // pointer events outside of its controls go to what is below
    <div
      className={cn(
        'pointer-events-none grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4 p-4 [&_button,&_input]:pointer-events-auto',
        className,
      )}
    >
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- generated media have no captions */}
      <audio {...sound} src={url} preload="none" />
      <button
        type="button"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={toggle}
        className="grid size-12 place-items-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-lift focus-visible:rounded-full"
      >
        <Icon className="size-5 fill-current" aria-hidden />
      </button>
      <div className="relative grid gap-1">
        <SoundWave
          peaks={peaks?.length ? toHeights(peaks) : read.peaks}
          part={seconds ? time / seconds : 1}
          className="h-16"
        />
        <input
          type="range"
          aria-label="Position in the audio"
          aria-valuetext={`${clockOf(time)} of ${clockOf(seconds)}`}
          min={0}
          max={seconds}
          step={0.1}
          value={time}
          onChange={event => goTo(event.target.valueAsNumber)}
          className="absolute inset-x-0 top-0 h-16 cursor-pointer appearance-none bg-transparent opacity-0 focus-visible:opacity-100 [&::-webkit-slider-thumb]:appearance-none"
        />
        <p className="figures flex flex-wrap justify-between gap-x-2 text-xs text-soft">
          <span>{clockOf(time)}</span>
          <span>{clockOf(seconds)}</span>
        </p>
      </div>
    </div>
  );
}
