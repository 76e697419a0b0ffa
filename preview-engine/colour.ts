/** An sRGB colour, each part 0 to 255. */
export type Colour = readonly [number, number, number];

export function fromHex(hex: string): Colour {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toHex(colour: Colour): string {
  return `#${colour.map(part => clampByte(part).toString(16).padStart(2, '0')).join('')}`;
}

function clampByte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : Math.round(value);
}

const toLinear = (value: number) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const toSrgb = (value: number) =>
  255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * Math.max(0, value) ** (1 / 2.4) - 0.055);

/** A colour in OKLab, where mixing colours and rotating hues preserve perceived lightness. */
type Lab = readonly [lightness: number, a: number, b: number];

function toLab(colour: Colour): Lab {
  const r = toLinear(colour[0]);
  const g = toLinear(colour[1]);
  const b = toLinear(colour[2]);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Lab): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clampByte(toSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
    clampByte(toSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
    clampByte(toSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)),
  ];
}

export function mix(from: Colour, to: Colour, amount: number): Colour {
  const a = toLab(from);
  const b = toLab(to);
  return fromLab([a[0] + (b[0] - a[0]) * amount, a[1] + (b[1] - a[1]) * amount, a[2] + (b[2] - a[2]) * amount]);
}

/** Lightens a colour for an amount above 0 and darkens it below; -1 to 1. */
export function lighten(colour: Colour, amount: number): Colour {
  return mix(colour, amount > 0 ? [255, 250, 240] : [8, 8, 16], Math.abs(amount));
}

/** Rotates the hue by `angle` radians and scales the chroma. */
export function turnHue(colour: Colour, angle: number, chroma: number): Colour {
  const [lightness, a, b] = toLab(colour);
  const cos = Math.cos(angle) * chroma;
  const sin = Math.sin(angle) * chroma;
  return fromLab([lightness, a * cos - b * sin, a * sin + b * cos]);
}

/** Shifts a colour towards the hue of `tint` and mostly keeps its lightness. */
export function tintColour(colour: Colour, tint: Colour, amount: number): Colour {
  const own = toLab(colour);
  const other = toLab(tint);
  const chroma = Math.hypot(own[1], own[2]) * 0.55 + Math.hypot(other[1], other[2]) * 0.5;
  const scale = chroma / (Math.hypot(other[1], other[2]) + 1e-4);
  const lightness = own[0] + (other[0] - own[0]) * amount * 0.22;
  return fromLab([
    lightness,
    own[1] + (other[1] * scale - own[1]) * amount,
    own[2] + (other[2] * scale - own[2]) * amount,
  ]);
}

/** Returns `steps` colours along the stops, as consecutive r, g, b floats. */
export function ramp(stops: readonly Colour[], steps: number): Float32Array {
  const out = new Float32Array(steps * 3);
  const last = stops.length - 1;
  for (let i = 0; i < steps; i++) {
    const at = steps === 1 ? 0 : (i / (steps - 1)) * last;
    const index = Math.min(last - 1, Math.floor(at));
    const first = stops[Math.max(0, index)]!;
    out.set(mix(first, stops[index + 1] ?? first, at - Math.max(0, index)), i * 3);
  }
  return out;
}
