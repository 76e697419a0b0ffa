'use client';

import { use, useEffect, useId, useState } from 'react';
import { Square, X } from 'lucide-react';
import { ClipBusy } from '#components/cast/clip-busy';
import { ClipCutter } from '#components/cast/clip-cutter';
import { ClipPlayer } from '#components/cast/clip-player';
import { ClipWays } from '#components/cast/clip-ways';
import { useClipPart } from '#components/cast/use-clip-part';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { useRecorder } from '#components/cast/use-recorder';
import { fetchMedia } from '#components/media/fetch-media';
import { MediaPicker } from '#components/studio/media-picker';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { Button } from '#components/ui/button';
import { IconButton } from '#components/ui/icon-button';
import { Progress } from '#components/ui/progress';
import { SoundWave } from '#components/ui/sound-wave';
import { Spinner } from '#components/ui/spinner';
import { FieldError } from '#components/ui/field-error';

interface ClipFieldProps {
  /** Name of the form field, also used for its uploads. */
  name: string;
  label: string;
  /** Maximum length of the clip. */
  seconds: number;
  value: string;
  onChange: (url: string) => void;
  uploads: MediaUploads;
  required?: boolean;
  error?: string | undefined;
}

/** Field for a sound that is recorded, taken from a file, or chosen from the user's audio. */
export function ClipField({ name, label, seconds, value, onChange, uploads, required, error }: ClipFieldProps) {
  const id = useId();
  const [isBrowsing, setBrowsing] = useState(false);
  const pending = uploads.pending.find(({ field }) => field === name);
  // a new sound replaces a failed upload
  const clear = () => pending && uploads.stop(pending.id);
  const start = (file: File) => {
    clear();
    uploads.start(name, 'audio', file);
  };
  const clip = useClipPart(seconds, start);
  const recorder = useRecorder(seconds, start);
  const setBusy = use(ClipBusy);
  const isBusy = recorder.state !== 'idle' || clip.isReading || Boolean(clip.long);
  useEffect(() => {
    setBusy(isBusy);
    return () => setBusy(false);
  }, [isBusy, setBusy]);
  const kept = useKeptFocus();
  const problem = recorder.error ?? pending?.error ?? error;
  return (
    <fieldset
      aria-describedby={problem ? `${id}-hint ${id}-error` : `${id}-hint`}
      aria-invalid={problem ? true : undefined}
      // focusable by script, because an error belongs to the field rather than to one of its controls
      tabIndex={-1}
      className="grid min-w-0 gap-2 outline-offset-6"
    >
      <legend className="flex w-full items-baseline justify-between gap-4 pb-1.5">
        <span className="text-sm font-medium">
          {label}
          {required && <span className="font-normal text-faint"> · required</span>}
        </span>
        <span className="figures text-xs text-faint">up to {seconds} s</span>
      </legend>
      <div {...kept} className="flex min-h-14 items-center gap-3 rounded-md border bg-sunk px-3 py-2">
        {content()}
      </div>
      <p id={`${id}-hint`} className="text-xs text-faint">
        MP3 or WAV. You choose a part of a longer one; the loudness is evened out.
      </p>
      <FieldError id={`${id}-error`}>{problem}</FieldError>
      {isBrowsing && (
        <MediaPicker
          media="audio"
          title={label}
          onPick={url => {
            setBrowsing(false);
            clear();
            const file = fetchMedia(url).then(blob => new File([blob], 'clip', { type: blob.type }));
            // a URL that the browser cannot read is left to the server
            void clip.give(file, () => onChange(url));
          }}
          onClose={() => setBrowsing(false)}
        />
      )}
    </fieldset>
  );

  function content() {
    if (recorder.state === 'recording') return <Recording {...recorder} />;
    if (recorder.state === 'asking') return <Waiting>Allow the microphone in the browser</Waiting>;
    if (recorder.state === 'encoding') return <Waiting>Preparing the recording</Waiting>;
    if (clip.isReading) return <Waiting onLeave={clip.stop}>Reading the sound</Waiting>;
    if (clip.long)
      return <ClipCutter {...clip.long} most={seconds} isBusy={clip.isBusy} onKeep={clip.keep} onLeave={clip.leave} />;
    if (pending && !pending.error) return <Uploading {...pending} onStop={clear} />;
    if (value && !pending) return <Kept url={value} label={label.toLowerCase()} onRemove={() => onChange('')} />;
    return (
      <ClipWays
        failed={pending}
        onRecord={recorder.start}
        onFile={file => {
          clear();
          if (file) void clip.give(file);
        }}
        onBrowse={() => setBrowsing(true)}
        onClear={clear}
      />
    );
  }
}

function Recording({ levels, elapsed, stop }: ReturnType<typeof useRecorder>) {
  return (
    <>
      <Button size="sm" tone="primary" onClick={stop}>
        <Square className="size-3.5 fill-current" aria-hidden /> Stop
      </Button>
      <SoundWave peaks={levels} className="text-accent-ink" />
      <span
        role="timer"
        aria-label="Recorded"
        className="figures min-w-12 text-right text-sm whitespace-nowrap text-soft"
      >
        {elapsed.toFixed(1)} s
      </span>
    </>
  );
}

function Waiting({ children, onLeave }: { children: string; onLeave?: () => void }) {
  return (
    <>
      <output className="flex grow items-center gap-2 text-sm text-soft">
        <Spinner /> {children}
      </output>
      {onLeave && (
        <Button size="sm" tone="ghost" onClick={onLeave}>
          Discard
        </Button>
      )}
    </>
  );
}

function Uploading({ name, part, onStop }: { name: string; part: number; onStop: () => void }) {
  return (
    <>
      <Progress value={part} label={`Upload of ${name}`} />
      <IconButton label="Stop the upload" size="sm" icon={<X className="size-4" aria-hidden />} onClick={onStop} />
    </>
  );
}

function Kept({ url, label, onRemove }: { url: string; label: string; onRemove: () => void }) {
  return (
    <>
      <ClipPlayer url={url} label={label} className="grow bg-transparent" />
      <IconButton label={`Remove ${label}`} size="sm" icon={<X className="size-4" aria-hidden />} onClick={onRemove} />
    </>
  );
}
