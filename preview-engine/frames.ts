import type { EngineJob } from '#lib/engines/engine';
import { createScene, type Scene } from '#preview-engine/create-scene';
import { prepareFinish } from '#preview-engine/finish-frame';
import { loadCover } from '#preview-engine/given-image';
import { crossFade, drawZoomed } from '#preview-engine/move-picture';
import { createRestyler, type SourceFrame } from '#preview-engine/restyle-video';
import { addLight } from '#preview-engine/draw-raster';
import { glowSprite } from '#preview-engine/glow-sprite';
import { smoothstep } from '#preview-engine/noise';
import { createRaster, paintedSize, type Raster } from '#preview-engine/raster';

export type ReadSourceFrame = (seconds: number) => Promise<SourceFrame>;

/** The frames of a video. `draw` writes RGBA at the painted size. */
interface Frames {
  count: number;
  draw(index: number, into: Uint8Array): void | Promise<void>;
}

/** Prepares the frames of a job: an animated scene, one between given first and last frames, or a restyled video. */
export async function createFrames(job: EngineJob, sourceFrame?: ReadSourceFrame): Promise<Frames> {
  const { width, height } = paintedSize(job.output);
  const { duration, fps } = job.output;
  const count = Math.max(1, Math.round(duration * fps));
  const margin = Math.max(2, Math.round(width * 0.05));
  const find = async (role: 'first_frame' | 'last_frame') => {
    const input = job.inputs.find(each => each.role === role && each.contentType.startsWith('image/'));
    return input ? loadCover(input.path, width, height) : null;
  };
  const given = { first: await find('first_frame'), last: await find('last_frame') };
  const scene = await createScene(job, width, height, margin, Boolean(sourceFrame ?? given.first));
  const frame = createRaster(width, height);
  const bytes = new Uint8Array(frame.pixels.buffer);
  if (sourceFrame) {
    const paint = restyleFrames(scene, frame, count, fps, given, sourceFrame);
    return { count, draw: async (index, into) => (await paint(index), into.set(bytes)) };
  }
  const paint = animateFrames(scene, frame, count, fps, given);
  return {
    count,
    draw(index, into) {
      paint(index);
      into.set(bytes);
    },
  };
}

/** The given first and last frame of a video. */
interface Ends {
  first: Raster | null;
  last: Raster | null;
}

function restyleFrames(
  scene: Scene,
  frame: Raster,
  count: number,
  fps: number,
  { first, last }: Ends,
  sourceFrame: ReadSourceFrame,
): (index: number) => Promise<void> {
  const { stage } = scene;
  const restyle = createRestyler(stage, frame.width, frame.height);
  const finish = prepareFinish(stage, frame.width, frame.height);
  const glow = glowSprite(stage.unit * 0.7, stage.palette.light, 0.16 * stage.hand.bloom);
  return async index => {
    const seconds = index / fps;
    const t = count > 1 ? index / (count - 1) : 0;
    restyle(frame, await sourceFrame(seconds));
    addLight(
      frame,
      glow,
      stage.light.x - stage.margin - glow.width / 2 + (index / count) * stage.unit * 0.1,
      stage.light.y - glow.height / 2,
    );
    for (const paint of [...scene.references, ...scene.weather]) paint(frame, { seconds, pan: 0, weather: 1 });
    finish(frame);
    if (first) crossFade(frame, first, 1 - smoothstep(0, 0.35, t));
    if (last) crossFade(frame, last, smoothstep(0.65, 1, t));
  };
}

function animateFrames(
  scene: Scene,
  frame: Raster,
  count: number,
  fps: number,
  { first, last }: Ends,
): (index: number) => void {
  const { stage } = scene;
  const finish = prepareFinish(stage, frame.width, frame.height);
  const other = last ? createRaster(frame.width, frame.height) : null;
  const direction = stage.seed & 1 ? 1 : -1;
  const duration = count / fps;
  const sweep = Math.min(0.95, duration * 0.16);
  const glow = glowSprite(stage.unit * 0.6, stage.palette.light, 0.2 * stage.hand.bloom);
  const [cx, cy] = [0.35 + ((stage.seed >>> 3) % 31) / 100, 0.35 + ((stage.seed >>> 9) % 21) / 100];
  return index => {
    const seconds = index / fps;
    const t = count > 1 ? index / (count - 1) : 0;
    if (first && index === 0) return void frame.pixels.set(first.pixels);
    if (last && index === count - 1) return void frame.pixels.set(last.pixels);
    const arriving = last ? smoothstep(first ? 0.35 : 0.45, 1, t) : 0;
    const weather = (first ? smoothstep(0, 0.9, seconds) : 1) * (last ? 1 - smoothstep(0.75, 1, t) : 1);
    const moment = { seconds, pan: direction * sweep * (t * 2 - 1), weather };
    if (first) {
      drawZoomed(frame, first, 1 + 0.1 * t * Math.min(1, duration / 4), cx, cy);
      const at = t * 1.2 - 0.1;
      addLight(frame, glow, at * frame.width - glow.width / 2, stage.light.y - glow.height / 2, Math.sin(Math.PI * t));
    } else {
      for (const paint of scene.paints) paint(frame, moment);
    }
    for (const paint of scene.references) paint(frame, moment);
    if (last && other && arriving > 0) {
      drawZoomed(other, last, 1 + 0.08 * (1 - t), cx, cy);
      crossFade(frame, other, arriving);
    }
    for (const paint of scene.weather) paint(frame, moment);
    // skipped with given images: paper and vignette would cause a jump between the given frame and its neighbour
    if (!first && !last) finish(frame);
  };
}
