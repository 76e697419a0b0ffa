'use client';

import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Scissors } from 'lucide-react';
import { toHeights } from '#components/generations/waveform';
import { cutAudio } from '#components/media/cut-audio';
import { fetchMedia } from '#components/media/fetch-media';
import { PartPlayer } from '#components/media/part-player';
import { saveBlob } from '#components/media/save-blob';
import { TrimRange, type Part } from '#components/media/trim-range';
import { Button } from '#components/ui/button';
import { SoundWave } from '#components/ui/sound-wave';
import { toast } from '#components/ui/toast';
import { useIsListening } from '#components/ui/use-is-listening';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import type { ResultWire } from '#lib/contract/schemas';

/** Cuts a part out of audio in the browser and saves it as a WAV file. */
export function AudioTrim({ result: { url, duration = 0, peaks = [] }, name }: { result: ResultWire; name: string }) {
  const [part, setPart] = useState<Part>();
  const save = useMutation({
    mutationFn: async (chosen: Part) => saveBlob(await cutAudio(await fetchMedia(url), ...chosen), `${name}-part.wav`),
    onError: error => toast({ title: 'The part was not saved.', description: error.message, tone: 'bad' }),
  });
  const kept = useKeptFocus();
  const isListening = useIsListening();
  if (!part) {
    return (
      // inert until hydrated, as on the result page: a press before that would be lost
      <div {...kept} inert={!isListening} className="contents">
        <Button size="sm" tone="ghost" onClick={() => setPart([0, duration])}>
          <Scissors className="size-4" aria-hidden /> Trim
        </Button>
      </div>
    );
  }
  return (
    <div {...kept} className="grid w-full max-w-xl gap-3">
      <div className="relative rounded-md bg-raised text-accent-ink">
        <SoundWave peaks={toHeights(peaks)} className="h-12" />
        <TrimRange seconds={duration} part={part} onChange={setPart} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <PartPlayer url={url} part={part} />
        <output className="figures grow text-sm text-soft">{(part[1] - part[0]).toFixed(1)} s are kept</output>
        <Button size="sm" busy={save.isPending} onClick={() => save.mutate(part)}>
          Download the part
        </Button>
        <Button size="sm" tone="ghost" onClick={() => setPart(undefined)}>
          Done
        </Button>
      </div>
    </div>
  );
}
