import { paintCity } from '#lib/engines/builtin/paint-city';
import { paintPines } from '#lib/engines/builtin/paint-pines';
import { paintRidges, traceCrest, type Ridge, type Terrain } from '#lib/engines/builtin/paint-ridges';
import { paintSky } from '#lib/engines/builtin/paint-sky';
import { paintWater } from '#lib/engines/builtin/paint-water';
import { between } from '#lib/engines/builtin/random';
import type { Paint, Stage } from '#lib/engines/builtin/stage';

/** What stands where, per setting: ridges behind the horizon line, and before it either water or ground. */
interface Plan {
  behind: readonly Terrain[];
  before: readonly Terrain[];
  water: boolean;
  /** Relief of the highest ridge, of the picture's unit. */
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

export type LandSetting = keyof typeof PLANS;

function planRidges(stage: Stage, terrains: readonly Terrain[], from: number, to: number, near: [number, number], relief: number): Ridge[] {
  const { random, unit, reading } = stage;
  return terrains.map((terrain, index) => {
    const t = terrains.length === 1 ? 0.5 : index / (terrains.length - 1);
    const depth = near[0] + (near[1] - near[0]) * t;
    const tall = terrain === 'peaks' ? 1 - 0.45 * t : terrain === 'woods' ? 0.5 + 0.3 * depth : 0.75;
    const snow = reading.weathers.has('snow') ? 1.4 : terrain === 'peaks' && !reading.weathers.has('embers') ? 0.55 - 0.3 * t : 0;
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

/** Ridges one by one, each wood with its trees. */
async function plant(stage: Stage, ridges: readonly Ridge[], floor: number): Promise<Paint[]> {
  const paints: Paint[] = [];
  for (const ridge of ridges) {
    paints.push(...paintRidges(stage, [ridge], floor));
    if (ridge.terrain !== 'woods') continue;
    const tall = stage.unit * (0.045 + 0.34 * ridge.near ** 1.6);
    paints.push(await paintPines(stage, traceCrest(stage, ridge), ridge.near, tall, 1.5 - ridge.near * 0.6, ridge.near > 0.7 ? 0.45 : 0));
  }
  return paints;
}

/** Sky, ridges, then water or ground. */
export async function paintLandscape(stage: Stage, setting: LandSetting): Promise<{ back: Paint[]; front: Paint[] }> {
  const plan: Plan = PLANS[setting];
  const { horizon, height, unit } = stage;
  const back = paintSky(stage);
  const behind = planRidges(stage, plan.behind, horizon - unit * 0.03, horizon + unit * 0.005, [0.08, plan.water ? 0.42 : 0.38], plan.relief);
  back.push(...(await plant(stage, behind, plan.water ? horizon : height)));
  if (setting === 'city') back.push(...paintCity(stage, horizon));
  if (plan.water) {
    const still = setting !== 'sea';
    return { back, front: [paintWater(stage, horizon, { calm: still ? 0.75 : 0.35, mirror: still ? 0.9 : 0.75 })] };
  }
  const before = planRidges(stage, plan.before, horizon + unit * 0.06, height * 0.93, [0.5, 1], plan.relief);
  return { back, front: await plant(stage, before, height) };
}
