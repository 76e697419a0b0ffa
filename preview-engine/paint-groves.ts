import { toHex, mix, lighten } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { createRandom, between } from '#preview-engine/random';
import { rasterizeSvg } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints broad-leaved trees and hedges in loose groups on a hill, and grass on the nearest hill. */
export async function paintGroves(stage: Stage, crest: Float32Array, near: number): Promise<Paint> {
  const { width, height, palette, unit, margin, reading } = stage;
  const random = createRandom(stage.seed ^ Math.round(near * 6151));
  const body = mix(
    mix(palette.haze, palette.far, Math.min(1, near * 1.5 + 0.1)),
    palette.near,
    Math.min(0.95, near * 1.1),
  );
  const autumn = reading.weathers.has('leaves');
  const spring = reading.weathers.has('petals');
  const leaf = mix(
    body,
    autumn || spring ? palette.accent : palette.second,
    (autumn || spring ? 0.45 : 0.1) * (0.4 + near * 0.6),
  );
  const light = mix(leaf, palette.light, 0.3 - palette.darkness * 0.2);
  const lightSide = stage.light.x < width / 2 ? -1 : 1;
  const shapes: string[] = [];
  const puffs = near > 0.45 ? 26 : 10;
  const size = unit * (0.014 + 0.075 * near ** 1.5);
  for (let group = 0, groups = Math.round(9 - near * 4); near < 0.75 && group < groups; group++) {
    const centre = random() * width;
    const members = 2 + Math.floor(random() * 6);
    const deep = between(random, 0, 0.5) * size * 2.4;
    for (let i = 0; i < members; i++) {
      const x = centre + (random() - 0.5) * size * members * 1.1;
      const r = size * between(random, 0.45, 1);
      const foot = (crest[Math.max(0, Math.min(width - 1, Math.round(x)))] ?? height) + deep + r * 0.1;
      const tone = toHex(mix(leaf, body, random() * 0.5));
      shapes.push(
        `<ellipse cx="${(x - lightSide * r * 0.5).toFixed(1)}" cy="${foot.toFixed(1)}" rx="${(r * 1.1).toFixed(1)}" ry="${(r * 0.14).toFixed(1)}" fill="${toHex(mix(body, palette.near, 0.5))}" opacity=".5"/><path d="M${(x - r * 0.06).toFixed(1)} ${foot.toFixed(1)}v${(-r).toFixed(1)}h${(r * 0.12).toFixed(1)}v${r.toFixed(1)}z" fill="${toHex(mix(body, palette.near, 0.6))}"/>`,
      );
      for (let puff = 0; puff < puffs; puff++) {
        const up = puff / puffs;
        const px = x + (random() - 0.5) * r * 1.25 * (1 - up * 0.5);
        const py = foot - r * (0.62 + up * 0.85);
        shapes.push(
          `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="${(r * between(random, 0.8, 1.2) * (near > 0.45 ? 0.19 : 0.3)).toFixed(1)}" fill="${(px - x) * lightSide > 0 && puff % 2 === 1 ? toHex(mix(leaf, light, 0.2 + up * 0.5)) : puff % 3 === 0 ? tone : toHex(mix(leaf, body, 0.3 - up * 0.3))}"/>`,
        );
      }
    }
  }
  if (near > 0.85) shapes.push(...traceGrass(stage, crest));
  const top = Math.max(0, Math.floor(crest.reduce((least, row) => Math.min(least, row), Infinity) - size * 2.2));
  const rows = Math.max(1, height - top);
  const raster = await rasterizeSvg(
    `<g transform="translate(0 ${-top})">${shapes.join('')}</g>`,
    [width, rows],
    width,
    rows,
  );
  const parallax = 0.12 + near * 0.88;
  return (frame, { pan }) => drawRaster(frame, raster, -margin + pan * margin * parallax, top);
}

/** Returns SVG paths of grass blades, with a few flower heads. */
function traceGrass(stage: Stage, crest: Float32Array): string[] {
  const { width, height, palette, unit } = stage;
  const random = createRandom(stage.seed ^ 0x64a);
  const tones = [palette.near, mix(palette.near, palette.far, 0.35), mix(palette.near, palette.light, 0.18)].map(toHex);
  const heads = [palette.accent, palette.second, lighten(palette.accent, 0.35)].map(colour =>
    toHex(mix(colour, palette.near, palette.darkness * 0.5)),
  );
  const blades: string[] = [];
  for (let i = 0, count = Math.round(width / (unit * 0.0045)); i < count; i++) {
    const x = random() * width;
    const ground = crest[Math.round(x) | 0] ?? height;
    const y = ground + random() ** 1.5 * (height - ground + unit * 0.02);
    const tall = unit * between(random, 0.012, 0.042) * (0.5 + (y - ground) / Math.max(1, height - ground));
    const lean = (random() - 0.4) * tall * 0.7;
    blades.push(
      `<path d="M${x.toFixed(1)} ${y.toFixed(1)}q${(lean * 0.2).toFixed(1)} ${(-tall * 0.6).toFixed(1)} ${lean.toFixed(1)} ${(-tall).toFixed(1)}q${(-lean * 0.5).toFixed(1)} ${(tall * 0.5).toFixed(1)} ${(-lean + unit * 0.002).toFixed(1)} ${tall.toFixed(1)}z" fill="${tones[i % 3]}"/>`,
    );
    if (i % 23 === 0 && !stage.reading.weathers.has('snow'))
      blades.push(
        `<circle cx="${(x + lean).toFixed(1)}" cy="${(y - tall).toFixed(1)}" r="${(unit * between(random, 0.002, 0.0045)).toFixed(1)}" fill="${heads[((i / 23) % 3) | 0]}"/>`,
      );
  }
  return blades;
}
