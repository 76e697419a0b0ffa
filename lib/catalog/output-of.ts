import type { Architecture, FieldRole } from '#lib/catalog/catalog-file';
import { outputSize } from '#lib/catalog/output-size';
import type { OutputSpec } from '#lib/engines/engine';

export interface OutputFacts {
  /** The source video, when the request has one. */
  sourceVideo?: { width: number; height: number; duration: number };
}

/** Those that MP3 has, in hertz. */
const SAMPLE_RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const SAMPLE_RATE = 48_000;

/** A source video may be a strip; what follows it is at most this many times as wide as high. */
const MOST_RATIO = 10;

/** What a resolved config asks for, in pixels, seconds and hertz. */
export function outputOf(
  architecture: Architecture,
  config: Readonly<Record<string, unknown>>,
  facts: OutputFacts = {},
): OutputSpec {
  const { type, output, source_video } = architecture;
  const asked = (role: FieldRole) => config[architecture.roles[role] ?? ''];
  if (type === 'audio' || !output) {
    const wanted = Number(asked('sample_rate') ?? SAMPLE_RATE);
    const sampleRate = SAMPLE_RATES.find(rate => rate >= wanted) ?? SAMPLE_RATE;
    return { type, width: 0, height: 0, duration: Number(asked('duration') ?? 0), fps: 0, sound: true, sampleRate };
  }
  const followed = source_video?.output_follows ? facts.sourceVideo : undefined;
  const ratio = followed ? shapeOf(followed) : ratioOf(String(asked('aspect_ratio')));
  const side = typeof output.side === 'number' ? output.side : (output.side[String(asked('resolution'))] ?? 0);
  const area = side * side * (output.fit === 'area' ? 1 : Math.max(ratio, 1 / ratio));
  const size = outputSize(ratio, area, output.multiple);
  if (type === 'image') return { type, ...size, duration: 0, fps: 0, sound: false, sampleRate: 0 };

  const { fps, frames } = output;
  const duration = followed?.duration ?? (frames ? frames / fps : Number(asked('duration')));
  const sound = Boolean(asked('sound') ?? output.sound);
  return { type, ...size, duration, fps, sound, sampleRate: sound ? SAMPLE_RATE : 0 };
}

/** Width over height. */
function ratioOf(token: string): number {
  const [width = 1, height = 1] = token.split(':').map(Number);
  return width / height;
}

const shapeOf = ({ width, height }: { width: number; height: number }) =>
  Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, width / height));
