import sharp from 'sharp';
import type { EngineJob } from '#lib/engines/engine';
import { addBloom } from '#preview-engine/add-bloom';
import { createScene } from '#preview-engine/create-scene';
import { prepareFinish } from '#preview-engine/finish-frame';
import { createRaster, paintedSize } from '#preview-engine/raster';

/** Renders the image of a job at its exact size: RGBA pixels, or RGB when they were enlarged. */
export async function renderImage(
  job: EngineJob,
  onProgress: (fraction: number) => void,
): Promise<{ width: number; height: number; data: Uint8ClampedArray | Uint8Array; channels: 3 | 4 }> {
  const { width, height } = job.output;
  const { width: w, height: h } = paintedSize(job.output);
  onProgress(0.05);
  const { stage, paints, references, weather } = await createScene(job, w, h, 0);
  onProgress(0.5);
  const frame = createRaster(w, h);
  const all = [...paints, ...references, ...weather];
  all.forEach((paint, index) => {
    paint(frame, { seconds: 0, pan: 0, weather: 1 });
    onProgress(0.5 + (0.3 * (index + 1)) / all.length);
  });
  if (!stage.reading.styles.has('pixel')) addBloom(frame, 0.28 * stage.hand.bloom);
  prepareFinish(stage, w, h)(frame);
  onProgress(0.9);
  const data = new Uint8ClampedArray(frame.pixels.buffer);
  if (w === width && h === height) {
    onProgress(1);
    return { width, height, data, channels: 4 };
  }
  const large = await sharp(data, { raw: { width: w, height: h, channels: 4 } })
    .removeAlpha()
    .resize(width, height, { fit: 'fill', kernel: stage.reading.styles.has('pixel') ? 'nearest' : 'cubic' })
    .raw()
    .toBuffer();
  onProgress(1);
  return { width, height, data: large, channels: 3 };
}
