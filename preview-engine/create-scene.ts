import type { EngineJob } from '#lib/engines/engine';
import { loadCover } from '#preview-engine/given-image';
import { paintAbstract } from '#preview-engine/paint-abstract';
import { paintBackdrop } from '#preview-engine/paint-backdrop';
import { paintLandscape } from '#preview-engine/paint-landscape';
import { paintPortrait } from '#preview-engine/paint-portrait';
import { paintReferences } from '#preview-engine/paint-references';
import { paintSpace } from '#preview-engine/paint-space';
import { paintStillLife } from '#preview-engine/paint-still-life';
import { paintSubjects } from '#preview-engine/paint-subjects';
import { paintWeather } from '#preview-engine/paint-weather';
import type { Reading, Setting, Subject } from '#preview-engine/read-prompt';
import { setStage } from '#preview-engine/set-stage';
import { paintPond } from '#preview-engine/paint-pond';
import { paintUnderwater } from '#preview-engine/paint-underwater';
import type { Paint, Stage } from '#preview-engine/stage';

export interface Scene {
  stage: Stage;
  paints: Paint[];
  /** Given images, composed into the scene. */
  references: Paint[];
  /** Rain, snow, fog and the like; drawn last, also over given frames. */
  weather: Paint[];
}

/**
 * Reads the prompt and prepares everything that a frame is painted with. `margin` is the room for the camera on either
 * side. With `isCovered`, given frames cover the ground, so none is prepared.
 */
export async function createScene(
  job: EngineJob,
  width: number,
  height: number,
  margin: number,
  isCovered = false,
): Promise<Scene> {
  const stage = setStage(job, width, height, margin);
  const base = job.output.type === 'image' ? job.inputs.find(input => input.role === 'first_frame') : undefined;
  const hasFace = job.inputs.some(input => input.role === 'reference');
  const paintBase = () => (base ? paintGiven(base.path, width, height) : paintGround(stage, hasFace));
  const paints = isCovered ? [] : await paintBase();
  return { stage, paints, references: await paintReferences(stage, job.inputs), weather: paintWeather(stage) };
}

/** Uses a given image as the ground, to which the prompt adds weather and style. */
async function paintGiven(path: string, width: number, height: number): Promise<Paint[]> {
  const given = await loadCover(path, width, height);
  return [frame => frame.pixels.set(given.pixels)];
}

/** The setting of each subject when the prompt names none. */
const HOMES: Partial<Record<Subject, Setting>> = {
  lighthouse: 'sea',
  sailboat: 'sea',
  ship: 'sea',
  whale: 'sea',
  palm: 'sea',
  fish: 'underwater',
  jellyfish: 'underwater',
  spaceship: 'space',
  planet: 'space',
  rocket: 'space',
  camel: 'desert',
  deer: 'forest',
  wolf: 'forest',
  fox: 'forest',
  mushroom: 'forest',
  dragon: 'mountains',
  temple: 'lake',
  bridge: 'lake',
  car: 'city',
  robot: 'city',
  fruit: 'stilllife',
  bowl: 'stilllife',
  cup: 'stilllife',
  vase: 'stilllife',
  bottle: 'stilllife',
  candle: 'stilllife',
  woman: 'portrait',
  man: 'portrait',
  person: 'hills',
};

function chooseSetting({ subjects, settings, times, weathers, colours, styles }: Reading): Setting {
  const portrait =
    settings.includes('portrait') &&
    subjects.some(subject => subject === 'woman' || subject === 'man' || subject === 'person');
  const place = settings.find(setting => setting !== 'portrait' && setting !== 'abstract');
  if (portrait || (settings.includes('portrait') && subjects.length === 0)) return 'portrait';
  // a mountain lake is a lake: its ridges include mountains
  if (settings.includes('lake') && place !== 'city' && place !== 'sea') return 'lake';
  if (place) return place;
  if (settings.includes('abstract')) return 'abstract';
  const [first] = subjects;
  const vessel = subjects.some(
    subject => subject === 'vase' || subject === 'bowl' || subject === 'cup' || subject === 'bottle',
  );
  if (first === 'flower' && vessel) return 'stilllife';
  if (first) return HOMES[first] ?? 'hills';
  // a prompt with only a time or weather becomes a landscape, one with only colours or unknown words an abstract
  if (times.length > 0 || weathers.size > 0)
    return weathers.has('embers') || weathers.has('aurora') || weathers.has('snow') ? 'mountains' : 'lake';
  return colours.length > 0 || styles.size === 0 ? 'abstract' : 'hills';
}

async function paintGround(stage: Stage, hasFace: boolean): Promise<Paint[]> {
  const setting = chooseSetting(stage.reading);
  if (setting === 'abstract') return paintAbstract(stage);
  // a reference image is the portrait itself; a drawn head would stand behind it
  if (setting === 'portrait') return [...paintBackdrop(stage, 12), ...(hasFace ? [] : await paintPortrait(stage))];
  if (setting === 'stilllife') return paintStillLife(stage);
  if (stage.reading.subjects.includes('koi')) return paintPond(stage);
  if (setting === 'space' || setting === 'underwater') {
    const ground = setting === 'space' ? paintSpace(stage) : await paintUnderwater(stage);
    const { behind, before } = await paintSubjects(stage, stage.height * 0.94, true);
    return [...ground, ...behind, ...before];
  }
  return paintLandscape(stage, setting);
}
