import type { Raster } from '#preview-engine/raster';

/** Extents of the pixels in each row, and of its longest opaque run. Most of a layer is either empty or opaque. */
const spansOf = new WeakMap<Raster, Int32Array>();

function findSpans({ width, height, pixels }: Raster): Int32Array {
  const spans = new Int32Array(height * 4);
  for (let y = 0; y < height; y++) {
    const base = y * width;
    let first = 0;
    while (first < width && pixels[base + first] === 0) first++;
    let end = width;
    while (end > first && pixels[base + end - 1] === 0) end--;
    let [best, bestEnd, start] = [first, first, -1];
    for (let x = first; x <= end; x++) {
      const opaque = x < end && pixels[base + x]! >>> 24 === 255;
      if (opaque && start < 0) start = x;
      if (!opaque && start >= 0) {
        if (x - start > bestEnd - best) [best, bestEnd] = [start, x];
        start = -1;
      }
    }
    spans.set([first, end, best, bestEnd], y * 4);
  }
  return spans;
}

/**
 * Draws `source` over `target` at a fractional x and an integer y; opacity 0 to 1. This is the hot loop of every frame.
 * A source must not change once drawn, because its spans are cached.
 */
export function drawRaster(target: Raster, source: Raster, x: number, y: number, opacity = 1): void {
  const shift = Math.floor(x);
  const f = Math.round((x - shift) * 256);
  const strength = Math.round(opacity * 256);
  if (strength <= 0) return;
  let spans = spansOf.get(source);
  if (!spans) spansOf.set(source, (spans = findSpans(source)));
  const bottom = Math.min(target.height, y + source.height);
  for (let row = Math.max(0, y); row < bottom; row++) {
    const at = (row - y) * 4;
    const from = Math.max(0, spans[at]! + shift);
    const to = Math.min(target.width, spans[at + 1]! + shift + (f > 0 ? 1 : 0), shift + source.width);
    if (from >= to) continue;
    const offset = (row - y) * source.width - shift;
    const base = row * target.width;
    // the opaque run hides the target; with a fractional x, a pixel's left neighbour must be in the run too
    const solidFrom = Math.max(from, Math.min(to, spans[at + 2]! + shift + (f > 0 ? 1 : 0)));
    const solidTo = Math.max(solidFrom, Math.min(to, spans[at + 3]! + shift));
    if (strength !== 256 || solidTo - solidFrom < 4)
      blendRow(target.pixels, base, source.pixels, offset, from, to, f, strength, (row - y) * source.width);
    else {
      blendRow(target.pixels, base, source.pixels, offset, from, solidFrom, f, 256, (row - y) * source.width);
      if (f === 0) target.pixels.set(source.pixels.subarray(offset + solidFrom, offset + solidTo), base + solidFrom);
      else slideRow(target.pixels, base, source.pixels, offset, solidFrom, solidTo, f);
      blendRow(target.pixels, base, source.pixels, offset, solidTo, to, f, 256, (row - y) * source.width);
    }
  }
}

/** Copies opaque pixels at a fractional offset, each mixed with its left neighbour. */
function slideRow(
  out: Uint32Array,
  base: number,
  from: Uint32Array,
  offset: number,
  left: number,
  right: number,
  f: number,
): void {
  const g = 256 - f;
  let before = from[offset + left - 1]!;
  for (let x = left; x < right; x++) {
    const px = from[offset + x]!;
    out[base + x] =
      px === before
        ? px
        : 0xff000000 |
          (((Math.imul(px & 0xff00ff, g) + Math.imul(before & 0xff00ff, f)) >>> 8) & 0xff00ff) |
          (((Math.imul(px & 0xff00, g) + Math.imul(before & 0xff00, f)) >>> 8) & 0xff00);
    before = px;
  }
}

function blendRow(
  out: Uint32Array,
  base: number,
  from: Uint32Array,
  offset: number,
  left: number,
  right: number,
  f: number,
  strength: number,
  first: number,
): void {
  const g = 256 - f;
  for (let x = left; x < right; x++) {
    const at = offset + x;
    let px = from[at]!;
    if (f !== 0) {
      const before = at > first ? from[at - 1]! : px;
      if (before !== px)
        px =
          (((Math.imul(px & 0xff00ff, g) + Math.imul(before & 0xff00ff, f)) >>> 8) & 0xff00ff) |
          ((Math.imul((px >>> 8) & 0xff00ff, g) + Math.imul((before >>> 8) & 0xff00ff, f)) & 0xff00ff00);
    }
    if (px === 0) continue;
    if (strength !== 256)
      px =
        ((Math.imul(px & 0xff00ff, strength) >>> 8) & 0xff00ff) |
        (Math.imul((px >>> 8) & 0xff00ff, strength) & 0xff00ff00);
    const rest = 255 - (px >>> 24);
    if (rest === 0) out[base + x] = px;
    else {
      const under = out[base + x]!;
      const keep = rest + (rest >> 7);
      out[base + x] =
        (px +
          (((Math.imul(under & 0xff00ff, keep) >>> 8) & 0xff00ff) |
            (Math.imul((under >>> 8) & 0xff00ff, keep) & 0xff00ff00))) |
        0;
    }
  }
}

/** Screens a premultiplied glow over the target, ignoring its alpha; opacity 0 to 1. */
export function addLight(target: Raster, source: Raster, x: number, y: number, opacity = 1): void {
  const dx = Math.round(x);
  const dy = Math.round(y);
  const strength = Math.round(Math.min(1, opacity) * 256);
  const left = Math.max(0, dx);
  const right = Math.min(target.width, dx + source.width);
  const bottom = Math.min(target.height, dy + source.height);
  for (let row = Math.max(0, dy); row < bottom; row++) {
    const start = (row - dy) * source.width - dx;
    const base = row * target.width;
    for (let column = left; column < right; column++) {
      const px = source.pixels[start + column]!;
      if ((px & 0xffffff) === 0) continue;
      const under = target.pixels[base + column]!;
      // screened rather than added, so that bright grounds do not clip to flat white
      const r = ((px & 255) * strength) >> 8;
      const g = (((px >> 8) & 255) * strength) >> 8;
      const b = (((px >> 16) & 255) * strength) >> 8;
      const ur = under & 255;
      const ug = (under >> 8) & 255;
      const ub = (under >> 16) & 255;
      target.pixels[base + column] =
        ((under & 0xff000000) |
          ((ub + (((255 - ub) * b) >> 8)) << 16) |
          ((ug + (((255 - ug) * g) >> 8)) << 8) |
          (ur + (((255 - ur) * r) >> 8))) >>>
        0;
    }
  }
}
