import { mix, lighten, ramp } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { enlargeField } from '#preview-engine/enlarge-field';
import { createNoise, layeredNoise, ridgedNoise, smoothstep } from '#preview-engine/noise';
import { paintStars } from '#preview-engine/paint-stars';
import { between } from '#preview-engine/random';
import { createRaster, DITHER, packSoft, type Raster } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints glowing gas in two colours, with dark lanes. */
function paintNebula(stage: Stage): Raster {
  const { width, height, palette, unit, random } = stage;
  const noise = createNoise(stage.seed ^ 0x9eb);
  const shrink = 3;
  const w = Math.ceil(width / shrink) + 2;
  const h = Math.ceil(height / shrink) + 2;
  const field = new Float32Array(w * h * 4);
  const slope = between(random, -0.7, 0.7);
  const middle = between(random, 0.35, 0.65) * h;
  const [base, glow, hot] = [
    palette.sky[1]!,
    mix(palette.accent, palette.cloud, 0.35),
    mix(palette.second, palette.cloud, 0.3),
  ];
  const floor = palette.sky[0]!;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const u = (x * shrink) / unit;
      const v = (y * shrink) / unit;
      const bend = layeredNoise(noise, u * 1.3, v * 1.3, 3);
      const off = ((y - middle - (x - w / 2) * slope) * shrink) / unit + bend * 0.3;
      const band = Math.exp(-off * off * 7);
      const gas = smoothstep(-0.25, 0.7, layeredNoise(noise, u * 2 + bend * 1.4, v * 2 - bend, 5));
      const lanes = smoothstep(0.35, 0.95, ridgedNoise(noise, u * 1.7 + bend, v * 1.7 + 9, 4));
      const power = band * gas * (1 - lanes * 0.62) + 0.08 * gas;
      const tone = smoothstep(-0.35, 0.45, noise(u * 1.1 + 20, v * 1.1) + off);
      const core = power * power * 0.8;
      const p = (y * w + x) * 4;
      for (let i = 0; i < 3; i++) {
        const ground = floor[i]! + (base[i]! - floor[i]!) * (band * 0.7 + 0.15);
        const gasColour = glow[i]! + (hot[i]! - glow[i]!) * tone;
        field[p + i] = ground + gasColour * power * 0.85 + (255 - gasColour) * core * 0.5;
      }
      field[p + 3] = 255;
    }
  }
  return enlargeField(field, w, h, width, height, shrink);
}

/** Paints a banded or rocky planet with a lit limb and, if `ringed`, rings. */
function paintPlanet(stage: Stage, x: number, y: number, radius: number, ringed: boolean): Paint {
  const { palette, random } = stage;
  const noise = createNoise(stage.seed ^ 0x91a ^ Math.round(radius));
  const reach = radius * (ringed ? 2.25 : 1.14);
  const side = Math.ceil(reach * 2);
  const raster = createRaster(side, side);
  const own = stage.reading.colourOf.get('planet');
  const bands = ramp(
    [
      palette.accent,
      lighten(palette.accent, 0.4),
      palette.second,
      mix(palette.far, palette.accent, 0.5),
      lighten(palette.second, 0.3),
      palette.accent,
    ].map(c => (own ? mix(c, own, 0.7) : c)),
    256,
  );
  const striped = random() < 0.6;
  const tilt = between(random, -0.5, 0.5);
  const [ct, st] = [Math.cos(tilt), Math.sin(tilt)];
  const lx = stage.light.x < stage.width / 2 ? -0.72 : 0.72;
  const air = mix(palette.second, [190, 220, 255], 0.4);
  const squash = 0.24;
  for (let py = 0; py < side; py++) {
    for (let px = 0; px < side; px++) {
      const dx = (px + 0.5 - side / 2) / radius;
      const dy = (py + 0.5 - side / 2) / radius;
      const d2 = dx * dx + dy * dy;
      const d = Math.sqrt(d2);
      const dither = DITHER[((py & 7) << 3) | (px & 7)]!;
      const rx = dx * ct + dy * st;
      const ry = dy * ct - dx * st;
      let [r, g, b, a] = [0, 0, 0, 0];
      const cover = Math.max(0, Math.min(1, (1 - d) * radius + 0.5));
      if (cover > 0) {
        const dz = Math.sqrt(Math.max(0, 1 - d2));
        const warp = layeredNoise(noise, rx * 2.2, ry * (striped ? 7 : 2.2), 5);
        const tone = striped ? ry * 1.6 + warp * 0.22 + 2 : 0.5 + warp * 0.75 + 2;
        const at = (((tone % 1) * 255) | 0) * 3;
        const facing = dx * lx - dy * 0.45 + dz * 0.4;
        const light = smoothstep(-0.12, 0.75, facing) * (0.75 + 0.25 * dz);
        const rim = (1 - dz) ** 2.4 * smoothstep(-0.25, 0.6, facing) * 0.8;
        r = bands[at]! * light + air[0] * rim;
        g = bands[at + 1]! * light + air[1] * rim;
        b = bands[at + 2]! * light + air[2] * rim;
        a = cover;
        [r, g, b] = [r * cover, g * cover, b * cover];
      } else if (d < 1.14) {
        const halo = (1 - (d - 1) / 0.14) ** 2 * 0.5 * smoothstep(-0.5, 0.9, dx * lx - dy * 0.45);
        [r, g, b, a] = [air[0] * halo, air[1] * halo, air[2] * halo, halo];
      }
      if (ringed && (ry > 0 || d > 1)) {
        const ring = Math.sqrt(rx * rx + (ry / squash) ** 2);
        if (ring > 1.32 && ring < 2.2) {
          const gap = 0.35 + 0.65 * smoothstep(-0.2, 0.35, noise(ring * 13, 3.5));
          const alpha = 0.85 * gap * Math.min(1, (2.2 - ring) * 9, (ring - 1.32) * 12);
          const shadow = rx * lx < 0 && Math.abs(ry) < 0.3 && ry < 0 ? 0.55 : 1;
          r = r * (1 - alpha) + (bands[30]! * 0.6 + 90) * shadow * alpha;
          g = g * (1 - alpha) + (bands[31]! * 0.6 + 84) * shadow * alpha;
          b = b * (1 - alpha) + (bands[32]! * 0.6 + 76) * shadow * alpha;
          a = a + alpha * (1 - a);
        }
      }
      if (a > 0) raster.pixels[py * side + px] = packSoft(r / a, g / a, b / a, Math.min(1, a), dither);
    }
  }
  return (frame, { pan, seconds }) =>
    drawRaster(
      frame,
      raster,
      x - side / 2 - stage.margin + pan * stage.margin * 0.5 + seconds * 0.4,
      Math.round(y - side / 2),
    );
}

/** Paints deep space: a nebula, stars, a near planet and sometimes its moon. */
export function paintSpace(stage: Stage): Paint[] {
  const { width, height, margin, random, unit } = stage;
  const ground = paintNebula(stage);
  paintStars(stage, ground, 2.2, height);
  const paints: Paint[] = [(frame, { pan }) => drawRaster(frame, ground, -margin + pan * margin * 0.25, 0)];
  const subjects = stage.reading.subjects;
  const alone = subjects.includes('planet');
  if (alone || random() < 0.75) {
    const left = random() < 0.5;
    const radius = unit * (alone ? between(random, 0.22, 0.34) : between(random, 0.13, 0.26));
    const x = margin + (width - 2 * margin) * (left ? between(random, 0.2, 0.36) : between(random, 0.64, 0.8));
    const y = height * (alone ? between(random, 0.5, 0.72) : between(random, 0.25, 0.75));
    paints.push(paintPlanet(stage, x, y, radius, random() < 0.45));
    if (random() < 0.6)
      paints.push(
        paintPlanet(stage, width - x + unit * 0.05, height * between(random, 0.15, 0.35), radius * 0.22, false),
      );
  }
  return paints;
}
