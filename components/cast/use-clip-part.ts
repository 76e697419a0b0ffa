'use client';

import { useEffect, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { cutAudio } from '#components/media/cut-audio';
import type { Part } from '#components/media/trim-range';
import { toast } from '#components/ui/toast';

interface Long {
  file: File;
  url: string;
  seconds: number;
}

/** Lets through sounds of at most `most` seconds; of a longer one a part is chosen first. */
export function useClipPart(most: number, onClip: (file: File) => void) {
  const [long, setLong] = useState<Long>();
  useEffect(() => {
    if (long) return () => URL.revokeObjectURL(long.url);
    return undefined;
  }, [long]);

  /** `asIs` takes what is short enough. */
  async function give(file: File, asIs = () => onClip(file)) {
    const seconds = await lengthOf(file);
    if (seconds <= most) return asIs();
    setLong({ file, url: URL.createObjectURL(file), seconds });
  }
  const leave = () => setLong(undefined);
  const cut = useMutation({
    mutationFn: async ({ file, part }: { file: File; part: Part }) =>
      onClip(new File([await cutAudio(file, ...part)], `${file.name}.wav`, { type: 'audio/wav' })),
    onSuccess: leave,
    onError: error => toast({ title: 'The part was not cut out.', description: error.message, tone: 'bad' }),
  });
  return {
    long,
    isBusy: cut.isPending,
    give,
    keep: (part: Part) => long && cut.mutate({ file: long.file, part }),
    leave,
  };
}

/** Seconds; 0 of what the browser cannot read, which the server will judge. */
async function lengthOf(file: File): Promise<number> {
  try {
    const context = new OfflineAudioContext(1, 1, 8000);
    return (await context.decodeAudioData(await file.arrayBuffer())).duration;
  } catch {
    return 0;
  }
}
