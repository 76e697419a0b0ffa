import { mix, lighten, type Colour } from '#preview-engine/colour';
import { drawRaster, addLight } from '#preview-engine/draw-raster';
import { glowSprite } from '#preview-engine/glow-sprite';
import { createRandom, between, pick, type Random } from '#preview-engine/random';
import { createRaster, DITHER, packSoft, type Raster } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

function fillBox(raster: Raster, x: number, y: number, w: number, h: number, colour: Colour): void {
  const px = packSoft(colour[0], colour[1], colour[2], 1, 0.5);
  const right = Math.min(raster.width, Math.round(x + w));
  for (let row = Math.max(0, Math.round(y)); row < Math.min(raster.height, Math.round(y + h)); row++) {
    const left = Math.max(0, Math.round(x));
    if (right > left) raster.pixels.fill(px, row * raster.width + left, row * raster.width + right);
  }
}

interface Lamp {
  x: number;
  y: number;
  sprite: Raster;
}

/** Paints a tower block with a lit and a shaded side, windows and sometimes a sign. */
function paintTower(
  stage: Stage,
  raster: Raster,
  random: Random,
  box: { x: number; y: number; w: number; foot: number },
  near: number,
  lamps: Lamp[],
): void {
  const { palette, unit } = stage;
  const night = palette.darkness;
  const body = mix(mix(palette.haze, palette.far, 0.25 + near * 0.75), palette.near, near * 0.8 + random() * 0.1);
  const lit = mix(body, palette.light, 0.22 - 0.14 * night);
  const split = box.x + box.w * between(random, 0.55, 0.8);
  const litLeft = stage.light.x < box.x;
  for (let y = Math.max(0, Math.round(box.y)); y < box.foot; y++) {
    const t = (y - box.y) / Math.max(1, box.foot - box.y);
    const mist = t * t * 0.6 * (1 - near * 0.75);
    for (let x = Math.max(0, Math.round(box.x)); x < Math.min(raster.width, Math.round(box.x + box.w)); x++) {
      const face = x < split === litLeft ? lit : body;
      const d = DITHER[((y & 7) << 3) | (x & 7)]!;
      raster.pixels[y * raster.width + x] = packSoft(
        face[0] + (palette.haze[0] - face[0]) * mist,
        face[1] + (palette.haze[1] - face[1]) * mist,
        face[2] + (palette.haze[2] - face[2]) * mist,
        1,
        d,
      );
    }
  }
  const cell = Math.max(3, Math.round(unit * (0.006 + 0.008 * near)));
  const warm = mix([255, 214, 140], palette.second, 0.2);
  const cool = mix(palette.second, [220, 240, 255], 0.5);
  const busy = between(random, 0.15, 0.6) * (0.25 + night * 0.75);
  const gap = Math.max(1, Math.round(cell * 0.38));
  for (let y = box.y + cell; y < box.foot - cell; y += cell + gap) {
    const floorLit = random() < 0.12;
    for (let x = box.x + gap * 1.5; x < box.x + box.w - cell; x += cell + gap) {
      const on = floorLit || random() < busy;
      const glass = on
        ? mix(body, random() < 0.75 ? warm : cool, (0.35 + 0.6 * random()) * (0.35 + 0.65 * night))
        : mix(body, palette.sky[2]!, 0.1 + 0.12 * (1 - night));
      fillBox(raster, x, y, cell * 0.72, cell * 0.8, mix(glass, palette.haze, 0.4 * (1 - near)));
    }
  }
  if (random() < 0.35)
    fillBox(raster, box.x + box.w * 0.5, box.y - unit * 0.06, Math.max(1, unit * 0.002), unit * 0.06, body);
  else if (random() < 0.5) fillBox(raster, box.x + box.w * 0.2, box.y - unit * 0.015, box.w * 0.4, unit * 0.016, body);
  const neon = stage.reading.styles.has('neon');
  if (near > 0.35 && night > 0.4 && random() < (neon ? 0.75 : 0.2)) {
    const colour = pick(random, [palette.accent, palette.second, lighten(palette.accent, 0.2)]);
    const tallSign = random() < 0.6;
    const w = tallSign ? unit * 0.018 : box.w * 0.6;
    const h = tallSign ? unit * between(random, 0.08, 0.2) : unit * 0.022;
    const x = box.x + box.w * (tallSign ? between(random, 0.1, 0.8) : 0.2);
    const y = box.y + (box.foot - box.y) * between(random, 0.15, 0.5);
    fillBox(raster, x, y, w, h, mix(colour, [12, 8, 24], 0.65));
    const mark = tallSign ? w * 0.55 : h * 0.5;
    for (let i = 0, room = tallSign ? h : w; i < room - mark; i += mark * 1.9) {
      const at = tallSign ? [x + w * 0.22, y + i + mark * 0.4] : [x + i + mark * 0.4, y + h * 0.25];
      fillBox(raster, at[0]!, at[1]!, mark, mark, lighten(colour, 0.35));
    }
    lamps.push({ x: x + w / 2, y: y + h / 2, sprite: glowSprite(Math.max(w, h) * 1.5 + unit * 0.04, colour, 0.75) });
  }
}

/** Converts a light to a layer that is as opaque as it is bright. */
function asLayer(light: Raster): Raster {
  const pixels = light.pixels.map(
    px => ((Math.max(px & 255, (px >> 8) & 255, (px >> 16) & 255) << 24) | (px & 0xffffff)) >>> 0,
  );
  return { ...light, pixels };
}

/** Paints skylines from far to near, denser and darker towards the viewer. The near ones leave a street open. */
export function paintCity(stage: Stage, floor: number): Paint[] {
  const { width, unit, margin, palette } = stage;
  return [0.15, 0.42, 0.8].map((near, layer) => {
    const random = createRandom(stage.seed ^ (0xc17 + layer));
    const raster = createRaster(width, floor);
    const lamps: Lamp[] = [];
    const middle = margin + (width - 2 * margin) * between(random, 0.35, 0.65);
    if (layer === 1) {
      // haze over lit streets, behind the middle row
      const glow = asLayer(glowSprite(unit * 0.5, mix(palette.haze, palette.light, 0.3), 0.4 * palette.darkness));
      drawRaster(raster, glow, Math.round(middle - glow.width / 2), Math.round(floor - glow.height / 2));
    }
    for (let x = -unit * 0.05; x < width;) {
      const w = unit * between(random, 0.05, 0.12) * (0.7 + near * 0.9);
      const off = Math.abs(x + w / 2 - middle) / (width / 2);
      const street = near > 0.6 ? Math.max(0, off - 0.3) * 1.7 : near > 0.3 ? 0.35 + off * 0.55 : 1 - off * 0.35;
      const tall = unit * between(random, 0.16, 0.44) * street * (near > 0.6 ? 1.7 : 1);
      if (tall > unit * 0.04) paintTower(stage, raster, random, { x, y: floor - tall, w, foot: floor }, near, lamps);
      x += w * between(random, 0.92, near > 0.6 ? 1.25 : 1.08);
    }
    // all signs but one are part of the layer; that one is drawn per frame, so that it can flicker
    const flickering = lamps.slice(0, 1);
    for (const { x, y, sprite } of lamps.slice(1))
      drawRaster(raster, asLayer(sprite), Math.round(x - sprite.width / 2), Math.round(y - sprite.height / 2));
    return (frame, { pan, seconds }) => {
      const at = -margin + pan * margin * (0.15 + near * 0.85);
      drawRaster(frame, raster, at, 0);
      flickering.forEach(({ x, y, sprite }, index) => {
        const flicker = Math.sin(seconds * 23 + index * 9) > 0.97 ? 0.5 : 0.9 + 0.1 * Math.sin(seconds * 3 + index * 2);
        addLight(frame, sprite, at + x - sprite.width / 2, y - sprite.height / 2, flicker);
      });
    };
  });
}
