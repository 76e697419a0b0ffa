'use client';

import { useRef, useState, type KeyboardEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import {
  Camera,
  ChevronLeft,
  ChevronRight,
  FastForward,
  Maximize,
  Pause,
  Play,
  Repeat,
  Scissors,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { offerCarried } from '#components/carry/carried';
import { baseName } from '#components/generations/file-name';
import { frameOf } from '#components/media/frame-of';
import { sendOn } from '#components/media/send-on';
import type { Part } from '#components/media/trim-range';
import { clockOf } from '#components/generations/words';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { IconButton } from '#components/ui/icon-button';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';
import { useIsListening } from '#components/ui/use-is-listening';
import type { ResultWire } from '#lib/contract/schemas';

const VideoTrim = onDemand(async () => (await import('#components/viewer/video-trim')).VideoTrim);

/** Duration of one frame in most videos, in seconds. */
const FRAME = 1 / 24;

/** Methods that enter full screen; iPhones have only the second. */
const FILLS = ['requestFullscreen', 'webkitEnterFullscreen'] as const;

async function fillScreen(video: HTMLVideoElement & { webkitEnterFullscreen?: () => void }) {
  try {
    await (video.requestFullscreen ? video.requestFullscreen() : video.webkitEnterFullscreen?.());
  } catch {
    // the browser refuses, for example before the video has begun to load
  }
}

/** Video player that can step by frames, loop, extract a frame or a part, and continue a video from its last frame. */
export function VideoPlayer({ result, title, onLost }: { result: ResultWire; title: string; onLost: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const [isLooped, setLooped] = useState(true);
  const [isMuted, setMuted] = useState(false);
  const [part, setPart] = useState<Part>();
  const [seconds, setSeconds] = useState(result.duration ?? 0);

  const isListening = useIsListening();
  const canFill = isListening && FILLS.some(name => name in HTMLVideoElement.prototype);

  const toggle = () => void (isPlaying ? video.current?.pause() : video.current?.play().catch(() => {}));
  const go = (moment: number) => {
    if (video.current) video.current.currentTime = Math.min(Math.max(moment, 0), seconds);
  };
  const step = (frames: number) => {
    video.current?.pause();
    go((video.current?.currentTime ?? 0) + frames * FRAME);
  };
  const take = useMutation({
    mutationFn: async ({ name, at }: { name: string; at: number }) =>
      sendOn('image', await frameOf(result.url, at), `${baseName(title)}-${name}.png`),
    onMutate: () => video.current?.pause(),
    onError: error => toast({ title: 'The frame was not saved.', description: error.message, tone: 'bad' }),
  });
  // an `onSuccess` given to `mutate` runs only while the player is mounted; otherwise the frame is just an upload
  const takeAt = (name: string, at: number, intent: 'use' | 'extend') =>
    take.mutate({ name, at }, { onSuccess: carried => offerCarried({ carried, intent }) });
  const taken = take.isPending && take.variables.name;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { ' ': toggle, k: toggle, ',': () => step(-1), '.': () => step(1) }[event.key];
    if (!act || event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    act();
  };
  const onTime = (now: number) => {
    setTime(now);
    // playback loops within the chosen part
    if (part && isPlaying && (now >= part[1] || now < part[0] - FRAME)) go(part[0]);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keyboard shortcuts for the focused video
    <div onKeyDown={onKeyDown} className="absolute inset-0 flex flex-col">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- generated videos have no captions */}
      <video
        ref={video}
        src={result.url}
        poster={result.preview_url}
        aria-label={title}
        width={result.width}
        height={result.height}
        loop={isLooped}
        muted={isMuted}
        playsInline
        preload="auto"
        onClick={toggle}
        onLoadedMetadata={event => setSeconds(event.currentTarget.duration)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={event => onTime(event.currentTarget.currentTime)}
        onError={onLost}
        className="min-h-0 w-full grow object-contain"
      />
      {/* inert until hydrated, as on the result page: a press before that would be lost */}
      <div inert={!isListening} className="grid gap-1 border-t bg-raised px-3 py-2">
        {part ? (
          <InPlace>
            <VideoTrim
              onShow={go}
              url={result.url}
              name={baseName(title)}
              seconds={seconds}
              part={part}
              onChange={setPart}
              onClose={() => setPart(undefined)}
            />
          </InPlace>
        ) : (
          <input
            type="range"
            aria-label="Position in the video"
            aria-valuetext={`${clockOf(time)} of ${clockOf(seconds)}`}
            min={0}
            max={seconds}
            step={FRAME}
            value={time}
            onChange={event => go(event.target.valueAsNumber)}
            className="range"
          />
        )}
        <div className="flex flex-wrap items-center gap-1 pointer-coarse:gap-x-0">
          <Tool label={isPlaying ? 'Pause' : 'Play'} Icon={isPlaying ? Pause : Play} onClick={toggle} />
          <Tool label="Previous frame" Icon={ChevronLeft} onClick={() => step(-1)} />
          <Tool label="Next frame" Icon={ChevronRight} onClick={() => step(1)} />
          <span className="figures px-2 text-xs text-soft">
            {clockOf(time)}.{String(Math.floor((time % 1) / FRAME)).padStart(2, '0')} / {clockOf(seconds)}
          </span>
          <span className="grow" />
          <Tool label="Loop" Icon={Repeat} isOn={isLooped} onClick={() => setLooped(!isLooped)} />
          <Tool
            label={isMuted ? 'Sound on' : 'Sound off'}
            Icon={isMuted ? VolumeX : Volume2}
            onClick={() => setMuted(!isMuted)}
          />
          {canFill && <Tool label="Full screen" Icon={Maximize} onClick={() => void fillScreen(video.current!)} />}
          <Tool
            label="Take this frame"
            words="Take this frame"
            Icon={Camera}
            isBusy={taken === 'frame'}
            onClick={() => takeAt('frame', video.current?.currentTime ?? 0, 'use')}
          />
          <Tool
            label="Trim"
            words="Trim"
            Icon={Scissors}
            isOn={part !== undefined}
            onClick={() => setPart(part ? undefined : [0, seconds])}
          />
          <Tool
            label="Extend: continue from the last frame"
            words="Extend"
            Icon={FastForward}
            isBusy={taken === 'last-frame'}
            onClick={() => takeAt('last-frame', Math.max(0, seconds - FRAME / 2), 'extend')}
          />
        </div>
      </div>
    </div>
  );
}

function Tool({
  label,
  words,
  Icon,
  isOn,
  isBusy = false,
  onClick,
}: {
  label: string;
  /** Text beside the icon, where the icon alone is unclear. */
  words?: string;
  Icon: typeof Play;
  isOn?: boolean;
  isBusy?: boolean;
  onClick: () => void;
}) {
  const icon = isBusy ? null : <Icon className={cn('size-4', isOn && 'text-accent-ink')} aria-hidden />;
  const common = { size: 'sm', 'aria-pressed': isOn, busy: isBusy, onClick } as const;
  if (!words) return <IconButton label={label} icon={icon} {...common} />;
  return (
    <Button tone="ghost" aria-label={label} {...common}>
      {icon}
      {words}
    </Button>
  );
}
