import type { EngineJob } from '#lib/engines/engine';
import { paintAbstract } from '#lib/engines/builtin/paint-abstract';
import { paintLandscape, type LandSetting } from '#lib/engines/builtin/paint-landscape';
import { paintReferences } from '#lib/engines/builtin/paint-references';
import { paintSpace } from '#lib/engines/builtin/paint-space';
import { paintWeather } from '#lib/engines/builtin/paint-weather';
import type { Setting, Subject } from '#lib/engines/builtin/read-prompt';
import { setStage } from '#lib/engines/builtin/set-stage';
import type { Paint, Stage } from '#lib/engines/builtin/stage';

export interface Scene {
  stage: Stage;
  paints: Paint[];
  /** Given pictures, composed in. */
  references: Paint[];
  /** What is in the air; drawn last, also over given frames. */
  weather: Paint[];
}

/** Reads the prompt and prepares everything that a frame is painted with. `margin` is the room for the camera on either side. */
export async function createScene(job: EngineJob, width: number, height: number, margin: number): Promise<Scene> {
  const stage = setStage(job, width, height, margin);
  const paints = await paintGround(stage);
  return { stage, paints, references: await paintReferences(stage, job.inputs), weather: paintWeather(stage) };
}

async function paintGround(stage: Stage): Promise<Paint[]> {
  const setting = stage.reading.settings[0] ?? 'abstract';
  if (setting === 'space') return paintSpace(stage);
  if (setting === 'abstract') return paintAbstract(stage);
  const { back, front } = await paintLandscape(stage, setting as LandSetting);
  return [...back, ...front];
}
