import { CustomSource, FilePathSource } from 'mediabunny';
import type { ReadRange } from '#lib/media/decoder';
import type { MediaFacts } from '#lib/media/media-facts';
import { measureAv } from '#lib/media/probe-av';
import type { MediaType } from '#lib/storage/media-types';

/** What the head and the index of a film or a sound say; of the rest nothing is read. Called in the process for hostile files. */
export const measureFile = (path: string, type: MediaType): Promise<MediaFacts> =>
  measureAv(new FilePathSource(path), type);

/** The same of a file that another process reads piece by piece. */
export const measureRemote = (bytes: number, type: MediaType, read: ReadRange): Promise<MediaFacts> =>
  measureAv(new CustomSource({ getSize: () => bytes, read, prefetchProfile: 'network' }), type);
