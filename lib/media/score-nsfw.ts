import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import { div, setBackend, tensor4d, tidy } from '@tensorflow/tfjs-core';
import { MobileNetV2MidModel } from 'nsfwjs/models/mobilenet_v2_mid';
import sharp from 'sharp';
import { openImage } from '#lib/media/probe-image';
import type { GraphModel } from '@tensorflow/tfjs-converter';
import type { io, Tensor } from '@tensorflow/tfjs-core';

import type { Sharp } from 'sharp';

/** The order of the model's outputs. */
const CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;
const SIDE = 224;

/** Probabilities of one picture; they sum to 1. */
export type NsfwScores = Record<(typeof CLASSES)[number], number>;

export type NsfwTask = { image: string } | { video: string; samples: number };

/** Scores an image, or frames spread over a video. Called in a decoding process; the model is loaded with the first task. */
export default async function scoreMedia(task: NsfwTask): Promise<NsfwScores[]> {
  const scores: NsfwScores[] = [];
  if ('image' in task) scores.push(await scorePicture(openImage(task.image).autoOrient()));
  else {
    const { openSourceVideo } = await import('#lib/media/open-source-video');
    using video = openSourceVideo(task.video, SIDE * 2);
    for (let i = 0; i < task.samples; i++) {
      const { data, width, height } = video.frameAt((video.duration * (i + 0.5)) / task.samples);
      scores.push(await scorePicture(sharp(data, { raw: { width, height, channels: 4 } })));
    }
  }
  return scores;
}

/** The first picture takes several times as long as the next ones; a process that has seen one is warm. */
export async function warmUp(): Promise<void> {
  if (!loading)
    await scorePicture(sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#808080' } }));
}

async function scorePicture(picture: Sharp): Promise<NsfwScores> {
  const model = await (loading ??= loadModel());
  const pixels = await picture.removeAlpha().toColourspace('srgb').resize(SIDE, SIDE, { fit: 'fill' }).raw().toBuffer();
  const input = () => div(tensor4d(new Float32Array(pixels), [1, SIDE, SIDE, 3]), 255);
  const output = tidy(() => model.predict(input()) as Tensor);
  const values = await output.data();
  output.dispose();
  return Object.fromEntries(CLASSES.map((name, i) => [name, values[i] ?? 0])) as NsfwScores;
}

let loading: Promise<GraphModel> | undefined;

/** The middle one of nsfwjs's models: the small one and Inception take soft painted forms for drawn nudity. */
async function loadModel(): Promise<GraphModel> {
  const wasm = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(join(dirname(wasm), '/'));
  setThreadsCount(1);
  await setBackend('wasm');
  const [{ default: json }, ...bundles] = await Promise.all([
    MobileNetV2MidModel.modelJson(),
    ...MobileNetV2MidModel.weightBundles.map(load => load()),
  ]);
  const weights = Buffer.concat(bundles.map(bundle => Buffer.from(bundle.default, 'base64')));
  return loadGraphModel({
    load: async () => ({
      modelTopology: json.modelTopology,
      format: json.format,
      weightSpecs: json.weightsManifest.flatMap((group: io.WeightsManifestConfig[number]) => group.weights),
      weightData: new Uint8Array(weights).buffer,
    }),
  });
}
