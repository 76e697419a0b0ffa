import type { MediaKind } from '#lib/media-kind';

/** A thing that Pomona made, by its own preview engine. `scripts/home-works.ts` makes them anew into `public/works`. */
export interface Work {
  /** Of its file. */
  name: string;
  type: MediaKind;
  architecture: string;
  config: { prompt: string } & Record<string, unknown>;
  width: number;
  height: number;
  /** Seconds. */
  duration?: number;
  /** The course of a sound, 0 to 100. */
  peaks?: number[];
}

export const WORKS: readonly Work[] = [
  {
    name: 'boat',
    type: 'video',
    architecture: 'ltx_video',
    config: { prompt: 'a sailing boat at sunset', aspect_ratio: '16:9', resolution: '480p', seed: 8 },
    width: 800,
    height: 448,
    duration: 5,
  },
  {
    name: 'lighthouse',
    type: 'image',
    architecture: 'mango',
    config: { prompt: 'a lighthouse at dusk over a quiet harbour', aspect_ratio: '4:5', resolution: '1K', seed: 11 },
    width: 720,
    height: 900,
  },
  {
    name: 'oranges',
    type: 'image',
    architecture: 'guava',
    config: { prompt: 'a bowl of oranges on a table, watercolour', aspect_ratio: '1:1', seed: 15 },
    width: 720,
    height: 720,
  },
  {
    name: 'fox',
    type: 'image',
    architecture: 'anima',
    config: { prompt: 'a fox in a forest, autumn', aspect_ratio: '4:5', seed: 2 },
    width: 720,
    height: 900,
  },
  {
    name: 'city',
    type: 'image',
    architecture: 'chroma',
    config: { prompt: 'a city in the rain at night, neon', aspect_ratio: '1:1', seed: 9 },
    width: 720,
    height: 720,
  },
  {
    name: 'rain',
    type: 'audio',
    architecture: 'seed_audio',
    config: { prompt: 'rain on a tin roof, and a bell far away', duration: '10', seed: 4 },
    width: 0,
    height: 0,
    duration: 10,
    peaks: [
      39, 65, 72, 75, 70, 55, 56, 69, 66, 58, 62, 61, 58, 39, 69, 60, 70, 68, 77, 75, 51, 84, 81, 69, 69, 80, 82, 81,
      84, 87, 86, 85, 70, 63, 65, 100, 87, 84, 79, 72, 68, 56, 92, 97, 94, 79, 67, 73, 68, 54, 48, 49, 59, 56, 55, 52,
      47, 45, 35, 26, 19, 12, 6, 1,
    ],
  },
];
