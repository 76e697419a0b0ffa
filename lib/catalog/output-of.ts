import type { Architecture, FieldRole } from '#lib/catalog/architecture';
import type { OutputSpec } from '#lib/engines/engine';

export interface OutputFacts {
  /** The source video, when the request has one. */
  sourceVideo?: { width: number; height: number; duration: number };
}

const SAMPLE_RATE = 48_000;

/** What a resolved config asks for, in pixels, seconds and hertz. */
export function outputOf(
  architecture: Architecture,
  config: Readonly<Record<string, unknown>>,
  facts: OutputFacts = {},
): OutputSpec {
  const { type, output, sourceVideo } = architecture;
  const asked = (role: FieldRole) => config[architecture.roles[role] ?? ''];
  if (type === 'audio' || !output) {
    const sampleRate = Number(asked('sample_rate') ?? SAMPLE_RATE);
    return { type, width: 0, height: 0, duration: Number(asked('duration') ?? 0), fps: 0, sound: true, sampleRate };
  }
  const followed = sourceVideo?.outputFollows ? facts.sourceVideo : undefined;
  const [ratioWidth, ratioHeight] = followed
    ? [followed.width, followed.height]
    : ratioOf(String(asked('aspect_ratio')));
  const side = typeof output.side === 'number' ? output.side : (output.side[String(asked('resolution'))] ?? 0);
  const fitted = output.fit === 'area' ? fitArea : fitShortSide;
  const size = fitted(ratioWidth, ratioHeight, side, output.multiple);
  if (type === 'image') return { type, ...size, duration: 0, fps: 0, sound: false, sampleRate: 0 };

  const { fps, frames } = output;
  const duration = followed?.duration ?? (frames ? frames / fps : Number(asked('duration')));
  const sound = Boolean(asked('sound') ?? output.sound);
  return { type, ...size, duration, fps, sound, sampleRate: sound ? SAMPLE_RATE : 0 };
}

/** The ratio in lowest terms. */
function ratioOf(token: string): [number, number] {
  const [width = 1, height = 1] = token.split(':').map(Number);
  const divisor = greatestCommonDivisor(width, height);
  return [width / divisor, height / divisor];
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** About side × side pixels at exactly the ratio, both sides divisible by `multiple`. */
function fitArea(ratioWidth: number, ratioHeight: number, side: number, multiple: number) {
  const unit = toMultiple(side / Math.sqrt(ratioWidth * ratioHeight), multiple);
  return { width: ratioWidth * unit, height: ratioHeight * unit };
}

/** The shorter side at `side`, the other by the ratio, both rounded to `multiple`. */
function fitShortSide(ratioWidth: number, ratioHeight: number, side: number, multiple: number) {
  const scale = side / Math.min(ratioWidth, ratioHeight);
  return { width: toMultiple(ratioWidth * scale, multiple), height: toMultiple(ratioHeight * scale, multiple) };
}

const toMultiple = (value: number, multiple: number) => Math.max(1, Math.round(value / multiple)) * multiple;
