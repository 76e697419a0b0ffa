import { BUILT } from '#preview-engine/subjects-built';
import { LIVING } from '#preview-engine/subjects-living';
import { mixInk } from '#preview-engine/subject-ink';
import type { Subject } from '#preview-engine/read-prompt';
import { drawRaster } from '#preview-engine/draw-raster';
import { createRandom, between, type Random } from '#preview-engine/random';
import { rasterizeSvg } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

const ART = { ...BUILT, ...LIVING };

/** Where a subject belongs. `MANNERS` adds its height and how far it sways, as fractions of the unit. */
type Place = 'ground' | 'shore' | 'water' | 'sky';
const MANNERS: Partial<Record<Subject, readonly [place: Place, tall: number, sway: number]>> = {
  lighthouse: ['shore', 0.56, 0],
  sailboat: ['water', 0.3, 0.008],
  ship: ['water', 0.36, 0.006],
  house: ['ground', 0.2, 0],
  castle: ['ground', 0.4, 0],
  temple: ['ground', 0.42, 0],
  tree: ['ground', 0.5, 0.001],
  palm: ['ground', 0.46, 0.002],
  flower: ['ground', 0.6, 0.003],
  mushroom: ['ground', 0.34, 0],
  person: ['ground', 0.26, 0],
  woman: ['ground', 0.26, 0],
  man: ['ground', 0.26, 0],
  cat: ['ground', 0.34, 0],
  dog: ['ground', 0.34, 0],
  fox: ['ground', 0.32, 0],
  wolf: ['ground', 0.34, 0],
  deer: ['ground', 0.36, 0],
  horse: ['ground', 0.36, 0],
  camel: ['ground', 0.26, 0.001],
  bird: ['sky', 0.24, 0.02],
  fish: ['water', 0.4, 0.02],
  whale: ['water', 0.34, 0.012],
  jellyfish: ['sky', 0.5, 0.02],
  butterfly: ['sky', 0.36, 0.015],
  dragon: ['sky', 0.36, 0.015],
  robot: ['ground', 0.4, 0],
  spaceship: ['sky', 0.26, 0.006],
  rocket: ['sky', 0.56, 0.004],
  balloon: ['sky', 0.3, 0.012],
  car: ['ground', 0.17, 0],
  train: ['ground', 0.2, 0],
  bridge: ['water', 0.26, 0],
  windmill: ['ground', 0.38, 0],
  candle: ['ground', 0.34, 0],
};

/** Prepares at most three of the named subjects, the first larger and in front. `ground` is the row they stand on. */
export async function paintSubjects(
  stage: Stage,
  ground: number,
  floating = false,
): Promise<{ behind: Paint[]; before: Paint[] }> {
  const random = createRandom(stage.seed ^ 0x50b);
  const { width, margin, unit } = stage;
  const frameWidth = width - 2 * margin;
  const named = stage.reading.subjects.filter(subject => MANNERS[subject]).slice(0, 3);
  const behind: Paint[] = [];
  const before: Paint[] = [];
  const lightLeft = stage.light.x < width / 2;
  for (const [index, subject] of named.entries()) {
    const [place, tall, sway] = MANNERS[subject]!;
    const draw = ART[(subject === 'woman' || subject === 'man' ? 'person' : subject) as keyof typeof ART];
    if (!draw) continue;
    // a subject is never taller than the space above its foot
    const room = (place === 'ground' ? ground : stage.horizon) * 0.86;
    const size = Math.round(Math.min(unit * tall * between(random, 0.76, 1.22) * (index === 0 ? 1 : 0.72), room));
    const pad = 0.7;
    const across = Math.round(size * (1 + pad * 2));
    const tallBox = Math.round(size * 1.5);
    const markup = draw(mixInk(stage, subject, random));
    // the box is larger than the 100×100 of the subject, because beams, caravans and smoke extend beyond it
    const inner = `<g transform="translate(70 45)">${markup}</g>`;
    const raster = await rasterizeSvg(
      lightLeft ? inner : `<g transform="translate(240 0) scale(-1 1)">${inner}</g>`,
      [240, 150],
      across,
      tallBox,
    );
    const third =
      index === 0
        ? lightLeft
          ? between(random, 0.52, 0.76)
          : between(random, 0.24, 0.48)
        : index === 1
          ? lightLeft
            ? between(random, 0.2, 0.34)
            : between(random, 0.66, 0.8)
          : between(random, 0.4, 0.6);
    const x = frameWidth * third - across / 2;
    const away = place === 'sky' || floating;
    const foot = findFoot(stage, subject, place, away, size, ground + index * unit * 0.02, floating, random);
    const y = Math.round(foot - (tallBox * 145) / 150);
    const parallax = away ? 0.3 : place === 'ground' ? 0.62 : 0.42;
    const phase = index * 2.1;
    const travel =
      subject === 'bird' ||
      subject === 'spaceship' ||
      subject === 'sailboat' ||
      subject === 'ship' ||
      subject === 'train'
        ? unit * 0.012 * (lightLeft ? -1 : 1)
        : 0;
    const paint: Paint = (frame, { seconds, pan }) =>
      drawRaster(
        frame,
        raster,
        x + pan * margin * parallax + travel * seconds + Math.sin(seconds * 0.7 + phase) * sway * unit * 0.6,
        y + Math.round(Math.sin(seconds * 1.1 + phase) * sway * unit),
      );
    // subjects at the water are drawn before the water, which mirrors them;
    // the first named subject is drawn last, in front of the others
    (place === 'ground' && !floating ? before : behind).unshift(paint);
  }
  return { behind, before };
}

/** Returns the row of the foot of a subject that stands, swims or floats. */
function findFoot(
  stage: Stage,
  subject: Subject,
  place: Place,
  away: boolean,
  size: number,
  ground: number,
  floating: boolean,
  random: Random,
): number {
  if (away) return (floating ? stage.height : stage.horizon * 1.25) * between(random, 0.3, 0.44) + size / 2;
  if (place === 'ground') return ground;
  // the part below the horizon is under water, which is painted over it
  const sunk =
    subject === 'whale' ? 0.2 : subject === 'fish' ? 0.3 : subject === 'sailboat' || subject === 'ship' ? 0.025 : 0;
  return stage.horizon + size * sunk;
}
