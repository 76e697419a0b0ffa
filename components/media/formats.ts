import { withReason } from '#components/ui/on-demand';
import type { MediaKind } from '#lib/media-kind';

/** A file format in which a result can be saved. */
export interface Format {
  name: string;
  extension: string;
  hint: string;
  /** Converts the original file; undefined for the original format. */
  convert?: (file: Blob) => Promise<Blob>;
}

const recode = (type: string, quality: number) => async (file: Blob) =>
  (await import('#components/media/recode-image').catch(withReason)).recodeImage(file, type, quality);

export const FORMATS: Record<MediaKind, readonly Format[]> = {
  image: [
    { name: 'PNG', extension: 'png', hint: 'As it was made, with its settings inside' },
    { name: 'JPEG', extension: 'jpg', hint: 'Smaller, opens everywhere', convert: recode('image/jpeg', 0.92) },
    { name: 'WebP', extension: 'webp', hint: 'Smallest, for the web', convert: recode('image/webp', 0.9) },
  ],
  video: [
    { name: 'MP4', extension: 'mp4', hint: 'As it was made, with its settings inside' },
    {
      name: 'GIF',
      extension: 'gif',
      hint: 'Silent, at most 480 pixels wide, the first 12 seconds',
      convert: async file => (await import('#components/media/video-to-gif').catch(withReason)).videoToGif(file),
    },
  ],
  audio: [
    { name: 'MP3', extension: 'mp3', hint: 'As it was made, with its settings inside' },
    {
      name: 'WAV',
      extension: 'wav',
      hint: 'Not compressed, for editing',
      convert: async file => (await import('#components/media/cut-audio').catch(withReason)).audioToWav(file),
    },
  ],
};
