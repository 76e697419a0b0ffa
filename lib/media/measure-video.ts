import type { ReadRange } from '#lib/media/probe-av';
import type { Isolation } from '#lib/media/decoder-room';
import { isolated } from '#lib/media/isolated';
import type { MediaFacts } from '#lib/media/media-facts';
import { requireKind } from '#lib/media/require-kind';
import { SNIFF_BYTES, sniffed } from '#lib/media/sniff';

/** A file, local or remote, that is read in ranges. */
export interface Pieces {
  bytes: number;
  read: ReadRange;
}

/** Returns the facts in the header and index of a video, and reads nothing else. Throws `UnusableMedia`. */
export async function measureVideo({ bytes, read }: Pieces, errand?: Isolation): Promise<MediaFacts> {
  const type = sniffed(await read(0, Math.min(bytes, SNIFF_BYTES)));
  requireKind(type, 'video');
  return isolated({ do: 'measure', bytes, type }, { ...errand, read });
}
