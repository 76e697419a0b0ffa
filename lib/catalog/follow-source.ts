import type { Architecture } from '#lib/catalog/catalog-file';

type Config = Readonly<Record<string, unknown>>;

/** Returns the config of the result: duration and aspect ratio are the video's where the output follows it. */
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
