import type { Architecture } from '#lib/catalog/catalog-file';

type Config = Readonly<Record<string, unknown>>;

/**
 * The config as the result will have it: where an output follows its source video, the video's length and shape are in place of
 * the tokens for duration and aspect ratio.
 */
export function followSource(
  { source_video, roles }: Architecture,
  config: Config,
  video: { width: number; height: number; duration: number } | undefined,
): Config {
  if (!video || !source_video?.output_follows) return config;
  const { width, height, duration } = video;
  const divisor = greatestCommonDivisor(width, height);
  return {
    ...config,
    ...(roles.duration && { [roles.duration]: String(Number(duration.toFixed(3))) }),
    ...(roles.aspect_ratio && { [roles.aspect_ratio]: `${width / divisor}:${height / divisor}` }),
  };
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
