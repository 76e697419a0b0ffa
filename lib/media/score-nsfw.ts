import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp, { type Sharp } from 'sharp';
import { readNsfwModel } from '#lib/media/nsfw-model';
import { openImage } from '#lib/media/probe-image';

/** The classes, in the order of the model's outputs. */
const CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;
const SIDE = 224;

/** Probabilities of one image, which sum to 1. */
export type NsfwScores = Record<(typeof CLASSES)[number], number>;

export type NsfwTask = { image: string } | { video: string; samples: number };

/** Scores an image, or frames spread over a video. Called in a decoder process; the first task loads the model. */
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

/** Scores a blank image, because the first image takes several times as long as the following ones. */
export async function warmUp(): Promise<void> {
  if (!loading)
    await scorePicture(sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#808080' } }));
}

async function scorePicture(picture: Sharp): Promise<NsfwScores> {
  const session = await (loading ??= loadModel());
  const small = picture.removeAlpha().toColourspace('srgb').resize(SIDE, SIDE, { fit: 'fill' });
  const pixels = new Tensor('uint8', await small.raw().toBuffer(), [1, SIDE, SIDE, 3]);
  const { probabilities } = await session.run({ pixels });
  return Object.fromEntries(CLASSES.map((name, i) => [name, Number(probabilities!.data[i])])) as NsfwScores;
}

let loading: Promise<InferenceSession> | undefined;

const loadModel = async (): Promise<InferenceSession> =>
  // one thread, because the same image is stored and its renditions are made at the same time
  InferenceSession.create(await readNsfwModel(SIDE, CLASSES.length), { intraOpNumThreads: 1 });
