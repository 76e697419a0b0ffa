'use client';

import { useCallback, useRef, useState } from 'react';
import { toast } from '#components/ui/toast';

/** Plays and pauses an audio element. Only one on a page plays at a time. */
export function useSound(label?: string) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const goTo = useCallback((seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds;
    setTime(seconds);
  }, []);
  return {
    isPlaying,
    time,
    toggle() {
      if (isPlaying) return audio.current?.pause();
      for (const other of document.querySelectorAll('audio')) other.pause();
      audio.current?.play().catch((error: Error) => {
        // an `AbortError` means that playback was stopped while loading
        if (error.name !== 'AbortError')
          toast({ tone: 'bad', title: 'This audio cannot be played.', description: label });
      });
    },
    goTo,
    /** Props of the audio element. */
    sound: {
      ref: audio,
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onTimeUpdate: ({ currentTarget }: { currentTarget: HTMLAudioElement }) => setTime(currentTarget.currentTime),
    },
  };
}
