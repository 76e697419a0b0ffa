import type { ReactNode } from 'react';
import { Emblem } from '#components/architectures/emblem';
import { architectureIdentity } from '#components/architectures/identity';
import { FLAT, toHeights } from '#components/generations/waveform';
import { clockOf } from '#components/generations/words';
import { SoundWave } from '#components/ui/sound-wave';
import type { ResultWire } from '#lib/contract/schemas';

/** Background of the audio of a model, in the colour of the model. */
export function AudioGround({ id, children }: { id: string; children: ReactNode }) {
  const { color } = architectureIdentity(id);
  return (
    <div className="audio-ground" style={{ color }}>
      {children}
    </div>
  );
}

/** Shows audio as its waveform and length. */
export function AudioTile({ id, result: { peaks, duration } }: { id: string; result: ResultWire }) {
  return (
    <AudioGround id={id}>
      <div className="grid justify-items-center gap-4 px-4">
        <Emblem id={id} className="size-12 [@container(height<11rem)]:hidden" />
        <SoundWave peaks={peaks?.length ? toHeights(peaks) : FLAT.peaks} className="h-14" />
      </div>
      {duration !== undefined && (
        <span className="figures on-picture absolute right-2 bottom-2 rounded-full px-2 py-0.5 text-xs">
          <span className="sr-only">Length </span>
          {clockOf(duration)}
        </span>
      )}
    </AudioGround>
  );
}
