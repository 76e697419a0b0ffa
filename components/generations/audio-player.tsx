'use client';

import { useEffect, useRef, useState } from 'react';
import { Pause, Play } from 'lucide-react';
import { architectureIdentity } from '#components/architectures/identity';
import { cn } from '#components/ui/cn';

const BARS = 72;

/** A sound: play, its wave to see and to jump in, its time. */
export function AudioPlayer({
  url,
  seconds,
  id,
  peaks,
  className,
}: {
  url: string;
  seconds: number;
  /** The architecture, for its colour. */
  id: string;
  /** Loudness of equal parts, 0 to 100, when the server has measured it. */
  peaks?: readonly number[] | undefined;
  className?: string | undefined;
}) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const wave = useWave(url, peaks);
  const { color } = architectureIdentity(id);
  const Icon = isPlaying ? Pause : Play;
  return (
    <div className={cn('grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4 rounded-md bg-sunk p-4', className)}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what is generated has no captions */}
      <audio
        ref={audio}
        src={url}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={event => setTime(event.currentTarget.currentTime)}
      />
      <button
        type="button"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => void (isPlaying ? audio.current?.pause() : audio.current?.play())}
        className="grid size-12 place-items-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-lift focus-visible:rounded-full"
      >
        <Icon className="size-5 fill-current" aria-hidden />
      </button>
      <div className="relative grid gap-1">
        <svg viewBox={`0 0 ${BARS * 4} 64`} preserveAspectRatio="none" className="h-16 w-full" aria-hidden>
          {wave.map((height, index) => (
            <rect
              key={index}
              x={index * 4 + 0.7}
              y={32 - height * 30}
              width="2.6"
              height={Math.max(2, height * 60)}
              rx="1.3"
              fill={color}
              opacity={(index + 0.5) / BARS <= time / seconds ? 1 : 0.42}
            />
          ))}
        </svg>
        <input
          type="range"
          aria-label="Place in the sound"
          aria-valuetext={`${clock(time)} of ${clock(seconds)}`}
          min={0}
          max={seconds}
          step={0.1}
          value={time}
          onChange={event => {
            if (audio.current) audio.current.currentTime = event.target.valueAsNumber;
            setTime(event.target.valueAsNumber);
          }}
          className="absolute inset-x-0 top-0 h-16 cursor-pointer appearance-none bg-transparent opacity-0 focus-visible:opacity-100 [&::-webkit-slider-thumb]:appearance-none"
        />
        <p className="figures flex justify-between text-xs text-faint">
          <span>{clock(time)}</span>
          <span>{clock(seconds)}</span>
        </p>
      </div>
    </div>
  );
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

const FLAT = Array.from({ length: BARS }, () => 0.04);

/** The loudest sample in each of the bars, 0 to 1; flat until the file is here. */
function useWave(url: string, peaks: readonly number[] | undefined): readonly number[] {
  const [wave, setWave] = useState<readonly number[]>(FLAT);
  useEffect(() => {
    if (peaks?.length) return;
    const controller = new AbortController();
    readWave(url, controller.signal).then(setWave, () => {
      // the line stays flat; playing tells what is wrong
    });
    return () => controller.abort();
  }, [url, peaks]);
  return peaks?.length ? FLAT.map((_, bar) => Math.max(0.04, loudest(peaks, bar))) : wave;
}

/** The loudest of the parts that fall into a bar. */
function loudest(peaks: readonly number[], bar: number): number {
  const from = Math.floor((bar * peaks.length) / BARS);
  const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / BARS));
  return Math.max(...peaks.slice(from, to)) / 100;
}

async function readWave(url: string, signal: AbortSignal): Promise<number[]> {
  const response = await fetch(url, { signal });
  const context = new OfflineAudioContext(1, 1, 8000);
  const samples = (await context.decodeAudioData(await response.arrayBuffer())).getChannelData(0);
  const size = Math.floor(samples.length / BARS);
  const peaks = FLAT.map((_, bar) =>
    samples.subarray(bar * size, (bar + 1) * size).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  const most = Math.max(...peaks, 0.01);
  return peaks.map(peak => Math.max(0.04, peak / most));
}
