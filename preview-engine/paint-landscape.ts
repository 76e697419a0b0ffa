import { paintCity } from '#preview-engine/paint-city';
import { paintGroves } from '#preview-engine/paint-groves';
import { paintPines } from '#preview-engine/paint-pines';
import { paintSubjects } from '#preview-engine/paint-subjects';
import { paintSky } from '#preview-engine/paint-sky';
import { paintWater } from '#preview-engine/paint-water';
import { paintRidge, traceCrest, type Ridge, type Terrain } from '#preview-engine/paint-ridges';
import { between, pick } from '#preview-engine/random';
import type { Paint, Stage } from '#preview-engine/stage';

/** Layout of a setting: ridges behind the horizon, and either water or ground in front of it. */
interface Plan {
  behind: readonly Terrain[];
  before: readonly Terrain[];
  water: boolean;
  /** Relief of the highest ridge, as a fraction of the stage's unit. */
  relief: number;
}

const PLANS = {
  sea: { behind: ['islands'], before: [], water: true, relief: 0.06 },
  lake: { behind: ['peaks', 'hills', 'woods'], before: [], water: true, relief: 0.2 },
  mountains: { behind: ['peaks', 'peaks', 'peaks'], before: ['hills', 'woods'], water: false, relief: 0.3 },
  hills: { behind: ['hills', 'hills'], before: ['hills', 'hills', 'hills'], water: false, relief: 0.1 },
  forest: { behind: ['hills', 'woods'], before: ['woods', 'woods', 'woods'], water: false, relief: 0.12 },
  city: { behind: ['hills'], before: [], water: true, relief: 0.08 },
  desert: { behind: ['dunes', 'dunes'], before: ['dunes', 'dunes', 'dunes'], water: false, relief: 0.12 },
} as const satisfies Record<string, Plan>;

/** Coasts across the sea, one of which is chosen. */
const COASTS: readonly (readonly Terrain[])[] = [['islands'], ['peaks', 'islands'], ['hills'], ['islands', 'hills']];

type LandSetting = keyof typeof PLANS;

function planRidges(
  stage: Stage,
  terrains: readonly Terrain[],
  from: number,
  to: number,
  near: [number, number],
  relief: number,
): Ridge[] {
  const { random, unit, reading } = stage;
  return terrains.map((terrain, index) => {
    const t = terrains.length === 1 ? 0.5 : index / (terrains.length - 1);
    const depth = near[0] + (near[1] - near[0]) * t;
    const tall = terrain === 'peaks' ? 1 - 0.45 * t : terrain === 'woods' ? 0.5 + 0.3 * depth : 0.75;
    const snow = reading.weathers.has('snow')
      ? 1.4
      : terrain === 'peaks' && !reading.weathers.has('embers')
        ? 0.55 - 0.3 * t
        : 0;
    return {
      terrain,
      crest: from + (to - from) * t,
      relief: relief * unit * tall * between(random, 0.8, 1.25),
      near: depth,
      snow,
      seed: (stage.seed ^ Math.imul(index + 1 + Math.round(from), 0x9e3779b1)) >>> 0,
    };
  });
}

/** Paints the ridges in order, those of woods with their trees. */
async function plant(stage: Stage, ridges: readonly Ridge[], floor: number): Promise<Paint[]> {
  const paints: Paint[] = [];
  const crests = ridges.map(ridge => traceCrest(stage, ridge));
  for (const [index, ridge] of ridges.entries()) {
    const crest = crests[index]!;
    // the part that the next ridge hides is not painted
    const next = crests[index + 1];
    paints.push(
      paintRidge(
        stage,
        ridge,
        crest,
        next ? Math.min(floor, next.reduce((most, row) => Math.max(most, row), 0) + 2) : floor,
      ),
    );
    if (ridge.terrain === 'hills' && ridge.near > 0.3) paints.push(await paintGroves(stage, crest, ridge.near));
    if (ridge.terrain !== 'woods') continue;
    const tall = stage.unit * (0.045 + 0.34 * ridge.near ** 1.6);
    paints.push(await paintPines(stage, crest, ridge.near, tall, 1.5 - ridge.near * 0.6, ridge.near > 0.7 ? 0.45 : 0));
  }
  return paints;
}

/** Paints sky, ridges, water or ground, and the named subjects in their places. */
export async function paintLandscape(stage: Stage, setting: LandSetting): Promise<Paint[]> {
  const plan: Plan = PLANS[setting];
  const { horizon, height, unit } = stage;
  const ground = Math.round(plan.water ? horizon + (height - horizon) * 0.86 : height * 0.9);
  const { behind: afar, before: near } = await paintSubjects(stage, ground);
  const terrains = setting === 'sea' ? pick(stage.random, COASTS) : plan.behind;
  const behind = planRidges(
    stage,
    terrains,
    horizon - unit * 0.03,
    horizon + unit * 0.005,
    [0.08, plan.water ? 0.42 : 0.38],
    plan.relief,
  );
  const paints = [...paintSky(stage), ...(await plant(stage, behind, plan.water ? horizon : height))];
  if (setting === 'city') paints.push(...paintCity(stage, horizon));
  paints.push(...afar);
  if (plan.water) {
    const still = setting !== 'sea';
    paints.push(paintWater(stage, horizon, { calm: still ? 0.75 : 0.35, mirror: still ? 0.9 : 0.75 }));
    if (near.length > 0) paints.push(paintBank(stage, setting, ground));
    return [...paints, ...near];
  }
  const before = planRidges(stage, plan.before, horizon + unit * 0.06, height * 0.93, [0.5, 1], plan.relief);
  paints.push(
    ...(await plant(stage, before.slice(0, -1), height)),
    ...near,
    ...(await plant(stage, before.slice(-1), height)),
  );
  return paints;
}

/** Paints a strip of shore or pavement for subjects in front of the water. */
function paintBank(stage: Stage, setting: LandSetting, ground: number): Paint {
  const ridge: Ridge = {
    terrain: setting === 'sea' ? 'dunes' : 'hills',
    crest: ground - stage.unit * 0.015,
    relief: stage.unit * 0.02,
    near: 0.86,
    snow: stage.reading.weathers.has('snow') ? 1.4 : 0,
    seed: stage.seed ^ 0xba4,
  };
  return paintRidge(stage, ridge, traceCrest(stage, ridge), stage.height);
}
