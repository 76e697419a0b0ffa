import { join } from 'node:path';
import sharp from 'sharp';
import type { EngineJob, JobInput } from '#lib/engines/engine';
import type { OutputSpec } from '#lib/output-spec';

/** Returns the job of a small image. */
export function makeJob(prompt: string, change: Partial<EngineJob> = {}, output: Partial<OutputSpec> = {}): EngineJob {
  return {
    requestId: '0',
    claim: 1,
    attempt: 1,
    architecture: 'mango',
    modelId: 'mango',
    prompt,
    seed: 7,
    config: {},
    inputs: [],
    output: { type: 'image', width: 160, height: 120, duration: 0, fps: 0, sound: false, sampleRate: 0, ...output },
    ...change,
  };
}

/** Returns the mean difference between the colour channels of two images, 0 to 255. */
export function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) if ((i & 3) !== 3) sum += Math.abs(a[i]! - b[i]!);
  return sum / (a.length * 0.75);
}

export function mean(data: Uint8Array): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) for (const part of [0, 1, 2] as const) sums[part] += data[i + part]!;
  return sums.map(sum => sum / (data.length / 4)) as [number, number, number];
}

/** Writes an image unlike any scene, with hard stripes in two colours, and returns it as an input. */
export async function givePicture(
  folder: string,
  role: JobInput['role'],
  name: string,
  colours: [string, string],
): Promise<JobInput> {
  const path = join(folder, `${name}.png`);
  const stripes = [0, 1, 2, 3]
    .map(i => `<rect y="${i * 30}" width="160" height="30" fill="${colours[i % 2]}"/>`)
    .join('');
  await sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">${stripes}</svg>`))
    .png()
    .toFile(path);
  return { role, path, contentType: 'image/png' };
}

export const pixelsOf = async (input: JobInput) =>
  new Uint8Array(await sharp(input.path).ensureAlpha().raw().toBuffer());
