import type { Architecture } from '#lib/catalog/catalog-file';
import type { FieldRole } from '#lib/catalog/file-shape';
import { nearestSize, outputSize } from '#lib/catalog/output-size';
import { ratioOf, type OutputSpec } from '#lib/output-spec';

/** Sample rates that MP3 supports, in hertz. */
const SAMPLE_RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const SAMPLE_RATE = 48_000;

/** Maximum ratio between the sides of an output. */
const MOST_RATIO = 10;

/** Returns the output that a resolved config asks for, in pixels, seconds and hertz. */
export function outputOf(architecture: Architecture, config: Readonly<Record<string, unknown>>): OutputSpec {
  const { type, output } = architecture;
  const asked = (role: FieldRole) => config[architecture.roles[role] ?? ''];
  if (type === 'audio' || !output) {
    const wanted = Number(asked('sample_rate') ?? SAMPLE_RATE);
    const sampleRate = SAMPLE_RATES.find(rate => rate >= wanted) ?? SAMPLE_RATE;
    return { type, width: 0, height: 0, duration: Number(asked('duration') ?? 0), fps: 0, sound: true, sampleRate };
  }
  // the output may follow a source video of an extreme shape
  const ratio = Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, ratioOf(String(asked('aspect_ratio')))));
  const side = typeof output.side === 'number' ? output.side : (output.side[String(asked('resolution'))] ?? 0);
  const area = side * side * (output.fit === 'area' ? 1 : Math.max(ratio, 1 / ratio));
  const size = output.sizes ? nearestSize(output.sizes, ratio) : outputSize(ratio, area, output.multiple);
  if (type === 'image') return { type, ...size, duration: 0, fps: 0, sound: false, sampleRate: 0 };

  const { fps, frames = Math.round(Number(asked('duration')) * output.fps) } = output;
  const sound = Boolean(asked('sound') ?? output.sound);
  return { type, ...size, duration: frames / fps, fps, sound, sampleRate: sound ? SAMPLE_RATE : 0 };
}
