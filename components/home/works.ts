import type { ExampleWire } from '#lib/contract/library-schemas';
import type { MediaKind } from '#lib/media-kind';

/** A work on the home page. `scripts/home-works.ts` makes those in `public/works` with the preview engine. */
export interface Work {
  /** Base name of the file. */
  name: string;
  type: MediaKind;
  architecture: string;
  config: { prompt: string } & Record<string, unknown>;
  width: number;
  height: number;
  /** Duration in seconds. */
  duration?: number;
  /** Loudness of audio over time, 0 to 100. */
  peaks?: number[];
  /** URLs of the file and its still image, when the work is a result of this deployment. */
  files?: { url: string; still: string | undefined };
}

/** Returns the works of a deployment: examples chosen by an operator replace the bundled works of their media kind. */
export function worksWith(examples: readonly ExampleWire[]): Work[] {
  const left = [...examples];
  return WORKS.map(work => {
    const fits = left.filter(({ type, result }) => type === work.type && (type === 'audio' || result.preview_url));
    const example = fits.find(({ architecture }) => architecture === work.architecture) ?? fits[0];
    if (!example) return work;
    left.splice(left.indexOf(example), 1);
    const { result, architecture, prompt } = example;
    // an image fills at most half of the page, so the largest rendition is enough
    const still = result.renditions?.findLast(({ content_type }) => content_type.startsWith('image/'))?.url;
    return {
      name: work.name,
      type: work.type,
      architecture: architecture ?? work.architecture,
      config: { prompt: prompt ?? '' },
      width: result.width,
      height: result.height,
      ...(result.duration !== undefined && { duration: result.duration }),
      ...(result.peaks && { peaks: result.peaks }),
      files: { url: result.url, still: still ?? result.preview_url },
    };
  });
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
