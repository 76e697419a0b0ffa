import { mix, ramp } from '#preview-engine/colour';
import { drawRaster, addLight } from '#preview-engine/draw-raster';
import { enlargeField } from '#preview-engine/enlarge-field';
import { glowSprite } from '#preview-engine/glow-sprite';
import { createNoise, layeredNoise } from '#preview-engine/noise';
import { createRandom, between, pick } from '#preview-engine/random';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints a wall in brushed tones, lighter near the light, with `lights` soft discs floating in front of it. */
export function paintBackdrop(stage: Stage, lights: number): Paint[] {
  const { width, height, palette, unit, light, margin } = stage;
  const noise = createNoise(stage.seed ^ 0xbac);
  const random = createRandom(stage.seed ^ 0xbad);
  const shrink = 4;
  const w = Math.ceil(width / shrink) + 2;
  const h = Math.ceil(height / shrink) + 2;
  const field = new Float32Array(w * h * 4);
  const tones = ramp(
    [
      mix(palette.near, palette.sky[0]!, 0.45),
      mix(palette.sky[0]!, palette.far, 0.4),
      mix(palette.sky[1]!, palette.haze, 0.3),
      mix(palette.sky[2]!, palette.haze, 0.4),
      mix(palette.sky[3]!, palette.light, 0.3),
    ],
    256,
  );
  const side = light.x < width / 2 ? 0.36 : 0.64;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const dx = (x / w - side) * (width / unit) * 0.9;
      const dy = (y / h - 0.36) * (height / unit) * 0.9;
      const brush = layeredNoise(
        noise,
        ((x * shrink) / unit) * 1.8 + (y * shrink) / unit,
        ((y * shrink) / unit) * 1.4 - ((x * shrink) / unit) * 0.6,
        5,
      );
      const tone = 0.92 - Math.sqrt(dx * dx + dy * dy) * 0.95 + brush * 0.16;
      const at = Math.max(0, Math.min(255, Math.round(tone * 255))) * 3;
      field.set([tones[at]!, tones[at + 1]!, tones[at + 2]!, 255], (y * w + x) * 4);
    }
  }
  const wall = enlargeField(field, w, h, width, height, shrink);
  const discs = Array.from({ length: lights }, () => {
    const sprite = glowSprite(
      unit * between(random, 0.04, 0.15),
      pick(random, [palette.accent, palette.second, palette.light]),
      between(random, 0.2, 0.5),
    );
    return { sprite, x: random() * width, y: random() * height, phase: random() * 6.28 };
  });
  return [
    (frame, { pan }) => drawRaster(frame, wall, -margin + Math.round(pan * margin * 0.15), 0),
    (frame, { seconds, pan }) => {
      for (const { sprite, x, y, phase } of discs)
        addLight(
          frame,
          sprite,
          x - margin + pan * margin * 0.3 - sprite.width / 2 + Math.sin(seconds * 0.5 + phase) * unit * 0.01,
          y - sprite.height / 2,
          0.75 + 0.25 * Math.sin(seconds * 0.9 + phase),
        );
    },
  ];
}
