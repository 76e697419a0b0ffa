import { createRandom } from '#preview-engine/random';

/** Returns smooth noise at a point, roughly -1 to 1. */
export type Noise = (x: number, y: number) => number;

/** Creates gradient noise on a lattice of 256 × 256 cells. */
export function createNoise(seed: number): Noise {
  const random = createRandom(seed);
  const order = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 255; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const held = order[i]!;
    order[i] = order[j]!;
    order[j] = held;
  }
  const gx = new Float32Array(256);
  const gy = new Float32Array(256);
  for (let i = 0; i < 256; i++) {
    const angle = (i / 256) * Math.PI * 2;
    gx[i] = Math.cos(angle);
    gy[i] = Math.sin(angle);
  }
  return (x, y) => {
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    const fx = x - x0;
    const fy = y - y0;
    const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
    const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
    const top = order[y0 & 255]!;
    const low = order[(y0 + 1) & 255]!;
    const a = order[(top + x0) & 255]!;
    const b = order[(top + x0 + 1) & 255]!;
    const c = order[(low + x0) & 255]!;
    const d = order[(low + x0 + 1) & 255]!;
    const na = gx[a]! * fx + gy[a]! * fy;
    const nb = gx[b]! * (fx - 1) + gy[b]! * fy;
    const nc = gx[c]! * fx + gy[c]! * (fy - 1);
    const nd = gx[d]! * (fx - 1) + gy[d]! * (fy - 1);
    const n0 = na + (nb - na) * u;
    return (n0 + (nc + (nd - nc) * u - n0) * v) * 1.4;
  };
}

/** Returns the sum of octaves of noise, each half as strong and twice as fine as the one before. */
export function layeredNoise(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let strength = 0.55;
  for (let i = 0; i < octaves; i++) {
    sum += noise(x, y) * strength;
    x = x * 2.03 + 17.1;
    y = y * 2.03 - 9.7;
    strength *= 0.5;
  }
  return sum;
}

/** Returns noise with sharp crests, for mountains and folds; 0 to 1. */
export function ridgedNoise(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let strength = 0.55;
  let weight = 1;
  for (let i = 0; i < octaves; i++) {
    const crest = 1 - Math.abs(noise(x, y));
    const value = crest * crest * weight;
    sum += value * strength;
    weight = Math.min(1, value * 1.6);
    x = x * 2.07 + 31.3;
    y = y * 2.07 + 5.9;
    strength *= 0.5;
  }
  return sum;
}

/** Side of a texture tile: a power of two, so that `(y & 255) << 8 | (x & 255)` wraps. */
const TILE = 256;

/** Creates a seamless 256×256 texture of values from -1 to 1, a lookup table for grain and ripples. */
export function createTile(seed: number, cells: number, octaves: number): Float32Array {
  const random = createRandom(seed);
  const tile = new Float32Array(TILE * TILE);
  let strength = 0.6;
  for (let octave = 0, side = cells; octave < octaves && side <= TILE; octave++, side *= 2) {
    const lattice = Float32Array.from({ length: side * side }, () => random() * 2 - 1);
    for (let y = 0; y < TILE; y++) {
      const ly = (y * side) / TILE;
      const y0 = Math.floor(ly);
      const fy = ly - y0;
      const v = fy * fy * (3 - 2 * fy);
      const row0 = y0 * side;
      const row1 = ((y0 + 1) % side) * side;
      for (let x = 0; x < TILE; x++) {
        const lx = (x * side) / TILE;
        const x0 = Math.floor(lx);
        const fx = lx - x0;
        const u = fx * fx * (3 - 2 * fx);
        const x1 = (x0 + 1) % side;
        const a = lattice[row0 + x0]! + (lattice[row0 + x1]! - lattice[row0 + x0]!) * u;
        const b = lattice[row1 + x0]! + (lattice[row1 + x1]! - lattice[row1 + x0]!) * u;
        tile[y * TILE + x]! += (a + (b - a) * v) * strength;
      }
    }
    strength *= 0.55;
  }
  return tile;
}

export function smoothstep(low: number, high: number, value: number): number {
  const t = value <= low ? 0 : value >= high ? 1 : (value - low) / (high - low);
  return t * t * (3 - 2 * t);
}
