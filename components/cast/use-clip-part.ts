'use client';

import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { cutAudio } from '#components/media/cut-audio';
import type { Part } from '#components/media/trim-range';
import { toast } from '#components/ui/toast';

interface Long {
  file: File;
  url: string;
  seconds: number;
}

/** Passes on sounds of at most `most` seconds; for a longer one, the user first chooses a part. */
export function useClipPart(most: number, onClip: (file: File) => void) {
  const [long, setLong] = useState<Long>();
  useEffect(() => {
    if (long) return () => URL.revokeObjectURL(long.url);
    return undefined;
  }, [long]);

  const [isReading, setReading] = useState(false);
  const turn = useRef(0);
  const stop = () => {
    turn.current++;
    setReading(false);
  };
  // a sound that is still read when the form closes is not passed on
  useEffect(() => () => void turn.current++, []);

  /** Reads a sound. `asIs` gets it if it is short enough or not decodable here, and null if it cannot be fetched. */
  async function give(file: File | Promise<File>, asIs: (read: File | null) => void = read => read && onClip(read)) {
    const own = ++turn.current;
    setReading(true);
    const read = await Promise.resolve(file).catch(() => null);
    const seconds = read ? await lengthOf(read) : 0;
    // stopped or replaced by another sound meanwhile
    if (own !== turn.current) return;
    if (read && seconds > most) setLong({ file: read, url: URL.createObjectURL(read), seconds });
    else asIs(read);
    stop();
  }
  const cut = useMutation({
    mutationFn: async ({ file, part }: { file: File; part: Part }) =>
      new File([await cutAudio(file, ...part)], `${file.name.replace(/\.\w+$/, '')}.wav`, { type: 'audio/wav' }),
  });
  const leave = () => {
    cut.reset();
    setLong(undefined);
  };
  // callbacks given to `mutate` do not run once the sound is discarded or the form is closed
  const keep = (part: Part) =>
    long &&
    cut.mutate(
      { file: long.file, part },
      {
        onSuccess: clip => {
          leave();
          onClip(clip);
        },
        onError: error => toast({ title: 'The part was not saved.', description: error.message, tone: 'bad' }),
      },
    );
  return {
    long,
    isBusy: cut.isPending,
    isReading,
    give,
    stop,
    keep,
    leave,
  };
}

/** Returns the length in seconds; 0 if the browser cannot decode the file, which is then left to the server. */
async function lengthOf(file: File): Promise<number> {
  try {
    const context = new OfflineAudioContext(1, 1, 8000);
    return (await context.decodeAudioData(await file.arrayBuffer())).duration;
  } catch {
    return 0;
  }
}
