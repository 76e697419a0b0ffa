import type { ReadRange } from '#lib/media/probe-av';
import type { Isolation } from '#lib/media/decoder-room';
import { isolated } from '#lib/media/isolated';
import type { MediaFacts } from '#lib/media/media-facts';
import { requireKind } from '#lib/media/require-kind';
import { SNIFF_BYTES, sniffed } from '#lib/media/sniff';

/** A file that is read piece by piece, wherever it lies. */
export interface Pieces {
  bytes: number;
  read: ReadRange;
}

/** What head and index of a video say; nothing else of it is read and nothing decoded. Throws `UnusableMedia`. */
export async function measureVideo({ bytes, read }: Pieces, errand?: Isolation): Promise<MediaFacts> {
  const type = sniffed(await read(0, Math.min(bytes, SNIFF_BYTES)));
  requireKind(type, 'video');
  return isolated({ do: 'measure', bytes, type }, { ...errand, read });
}
