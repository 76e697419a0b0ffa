import { createTile } from '#preview-engine/noise';
import { createRandom } from '#preview-engine/random';
import { DITHER, type Raster } from '#preview-engine/raster';
import type { Stage } from '#preview-engine/stage';

/** Returns the last step of every frame: the displacement of brush strokes, then paper, grain and vignette. */
export function prepareFinish(stage: Stage, width: number, height: number): (frame: Raster) => void {
  const { styles } = stage.reading;
  const offsets = traceBrush(stage, width, height);
  const gain = paperGain(stage, width, height);
  const copy = offsets ? new Uint32Array(width * height) : null;
  const mono = styles.has('noir');
  return frame => {
    const { pixels } = frame;
    if (offsets && copy) {
      copy.set(pixels);
      for (let i = 0; i < pixels.length; i++) pixels[i] = copy[offsets[i]!]!;
    }
    for (let i = 0; i < pixels.length; i++) {
      const px = pixels[i]!;
      const k = gain[i]!;
      let r = ((px & 255) * k) >> 10;
      let g = (((px >> 8) & 255) * k) >> 10;
      let b = (((px >> 16) & 255) * k) >> 10;
      if (mono) r = g = b = (r * 77 + g * 151 + b * 28) >> 8;
      pixels[i] = 0xff000000 | ((b > 255 ? 255 : b) << 16) | ((g > 255 ? 255 : g) << 8) | (r > 255 ? 255 : r);
    }
  };
}

/** Index of the pixel that each pixel takes its colour from; null when the style does not displace pixels. */
function traceBrush(stage: Stage, width: number, height: number): Uint32Array | null {
  const { styles } = stage.reading;
  const pixel = styles.has('pixel');
  const reach = styles.has('watercolour') ? 0.012 : styles.has('oil') ? 0.007 : styles.has('ink') ? 0.005 : 0;
  if (!pixel && reach === 0) return null;
  const offsets = new Uint32Array(width * height);
  const block = Math.max(3, Math.round(Math.min(width, height) / 110));
  const broad = createTile(stage.seed ^ 0xb7, 8, 3);
  const fine = createTile(stage.seed ^ 0xb8, 16, 4);
  const scale = 620 / Math.min(width, height);
  const strokes = styles.has('oil');
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sx = x;
      let sy = y;
      if (pixel) {
        sx = x - (x % block) + (block >> 1);
        sy = y - (y % block) + (block >> 1);
      } else {
        const u = (x * scale) | 0;
        const v = (y * scale) | 0;
        const at = ((v & 255) << 8) | (u & 255);
        const amount = reach * stage.unit;
        let dx = (broad[at]! + fine[at]! * 0.6) * amount;
        let dy = (broad[(at + 9000) & 0xffff]! + fine[(at + 21000) & 0xffff]! * 0.6) * amount;
        if (strokes) {
          // flat dabs of paint: the displacement is constant over small cells that follow the broad field
          const cell = Math.max(2, Math.round(stage.unit * 0.007));
          dx = dx * 0.8 - ((x + Math.round(dy * 2)) % cell) + cell / 2;
          dy = dy * 0.8 - ((y + Math.round(dx)) % (cell >> 1 || 1)) + cell / 4;
        }
        sx = x + Math.round(dx);
        sy = y + Math.round(dy);
      }
      sx = sx < 0 ? 0 : sx >= width ? width - 1 : sx;
      sy = sy < 0 ? 0 : sy >= height ? height - 1 : sy;
      offsets[y * width + x] = sy * width + sx;
    }
  }
  return offsets;
}

/** Returns vignette, film grain, paper and canvas as one factor per pixel; 1024 leaves a pixel unchanged. */
function paperGain(stage: Stage, width: number, height: number): Uint16Array {
  const { styles } = stage.reading;
  const gain = new Uint16Array(width * height);
  const paper = styles.has('watercolour') ? 0.05 : styles.has('ink') ? 0.035 : styles.has('oil') ? 0.045 : 0;
  const flat = paper > 0 || styles.has('minimal') || styles.has('pixel');
  const vignette = flat
    ? 0.03
    : stage.hand.vignette * (styles.has('photo') || styles.has('noir') || styles.has('vintage') ? 1.6 : 1);
  const film = flat
    ? 0
    : 0.011 * stage.hand.grain * (styles.has('photo') || styles.has('noir') || styles.has('vintage') ? 1.9 : 1);
  const fibres = createTile(stage.seed ^ 0xfab, 32, 4);
  const wash = createTile(stage.seed ^ 0xfac, 3, 3);
  const random = createRandom(stage.seed ^ 0x6a1);
  const specks = Float32Array.from({ length: 65536 }, () => Math.round((random() + random() - 1) * 1.6) * film);
  const washScale = 230 / Math.min(width, height);
  for (let y = 0; y < height; y++) {
    const dy = (y / height - 0.5) * 2;
    for (let x = 0; x < width; x++) {
      const dx = (x / width - 0.5) * 2;
      const far = (dx * dx + dy * dy) * 0.5;
      const at = ((y & 255) << 8) | (x & 255);
      const speck = film === 0 ? 0 : specks[(at + (y >> 8) * 40503 + (x >> 8) * 25717) & 65535]!;
      let k = 1 - vignette * far * far * 1.3 + speck;
      if (paper > 0)
        k +=
          fibres[at]! * paper +
          wash[((((y * washScale) | 0) & 255) << 8) | (((x * washScale) | 0) & 255)]! * paper * 1.6;
      gain[y * width + x] = Math.max(0, Math.min(2047, k * 1024 + (DITHER[((y & 7) << 3) | (x & 7)]! - 0.5) * 3));
    }
  }
  return gain;
}
