import { toHex, mix } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { createRandom, between, type Random } from '#preview-engine/random';
import { rasterizeSvg } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

/** Returns the path of a conifer with drooping, ragged tiers. */
function tracePine(random: Random, x: number, foot: number, height: number): string {
  const half = height * between(random, 0.16, 0.24);
  const tiers = Math.max(5, Math.min(13, Math.round(height / 14)));
  const left: string[] = [];
  const right: string[] = [];
  for (let i = 1; i <= tiers; i++) {
    const t = i / tiers;
    const y = foot - height + height * 0.93 * t;
    const reach = half * t ** 0.85;
    const droop = (height / tiers) * 0.3;
    const inner = 0.42 + random() * 0.16;
    left.push(
      `L${(x - reach * between(random, 0.75, 1.08)).toFixed(1)} ${(y + droop).toFixed(1)}L${(x - reach * inner).toFixed(1)} ${(y - droop * 0.2).toFixed(1)}`,
    );
    right.unshift(
      `L${(x + reach * inner).toFixed(1)} ${(y - droop * 0.2).toFixed(1)}L${(x + reach * between(random, 0.75, 1.08)).toFixed(1)} ${(y + droop).toFixed(1)}`,
    );
  }
  const trunk = height * 0.018;
  return `M${x.toFixed(1)} ${(foot - height).toFixed(1)}${left.join('')}L${(x - trunk).toFixed(1)} ${(foot - height * 0.06).toFixed(1)}V${foot.toFixed(1)}H${(x + trunk).toFixed(1)}V${(foot - height * 0.06).toFixed(1)}${right.join('')}Z`;
}

/** Paints conifers along a crest. `near` sets tone, size and parallax; `gap` keeps the middle open for a subject. */
export async function paintPines(
  stage: Stage,
  crest: Float32Array,
  near: number,
  tall: number,
  density: number,
  gap: number,
): Promise<Paint> {
  const { width, height, palette, margin, unit } = stage;
  const random = createRandom(stage.seed ^ Math.round(near * 7919));
  const trees: { x: number; tall: number; path: string }[] = [];
  for (let x = -tall * 0.2; x < width + tall * 0.2; x += (tall * between(random, 0.12, 0.42)) / density) {
    const off = Math.abs((x - margin) / (width - 2 * margin) - 0.5) * 2;
    if (off < gap * between(random, 0.8, 1.15)) continue;
    const size = tall * between(random, 0.5, 1.1) * (gap > 0 ? 0.55 + 0.6 * off : 1);
    const foot = (crest[Math.max(0, Math.min(width - 1, Math.round(x)))] ?? height) + size * 0.08;
    trees.push({ x, tall: size, path: tracePine(random, x, foot, size) });
  }
  const body = mix(
    mix(palette.haze, palette.far, Math.min(1, near * 1.5)),
    palette.near,
    Math.min(1, Math.max(0, near * 1.25 - 0.2)),
  );
  const top = mix(body, palette.light, 0.16 * (1 - palette.darkness * 0.6));
  const foot = mix(body, palette.haze, 0.55 * (1 - near));
  const snow = stage.reading.weathers.has('snow');
  const snowy = toHex(mix(palette.haze, [245, 250, 255], 0.6));
  const crestTop = trees.length > 0 ? crest.reduce((least, value) => Math.min(least, value), Infinity) - tall * 1.2 : 0;
  const y0 = Math.max(0, Math.floor(crestTop));
  const rows = Math.max(1, height - y0);
  const markup = `<defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${snow ? snowy : toHex(top)}"/><stop offset="${snow ? 0.5 : 0.6}" stop-color="${toHex(body)}"/><stop offset="1" stop-color="${toHex(foot)}"/></linearGradient></defs><g transform="translate(0 ${-y0})" fill="url(#g)">${trees.map(tree => `<path d="${tree.path}"/>`).join('')}</g>`;
  const raster = await rasterizeSvg(markup, [width, rows], width, rows);
  const parallax = 0.12 + near * 0.88;
  return (frame, { pan, seconds }) =>
    drawRaster(
      frame,
      raster,
      -margin + pan * margin * parallax + Math.sin(seconds * 0.7 + near * 5) * unit * 0.0006 * near,
      y0,
    );
}
