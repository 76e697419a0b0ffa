import { lighten, mix, toHex, type Colour } from '#preview-engine/colour';
import { between, type Random } from '#preview-engine/random';
import type { Stage } from '#preview-engine/stage';

/** CSS colours of a subject, and its random numbers. Drawings fill a 100×100 box and stand on y = 100. */
export interface Ink {
  body: string;
  dark: string;
  lit: string;
  accent: string;
  accentDark: string;
  accentLit: string;
  second: string;
  pale: string;
  glow: string;
  /** Colour of windows: lit at night, glass by day. */
  window: string;
  night: number;
  random: Random;
}

export function mixInk(stage: Stage, subject: string, random: Random): Ink {
  const { palette, reading } = stage;
  const asked = reading.colourOf.get(subject);
  const shadow = palette.darkness * 0.55;
  const base: Colour = asked ? mix(asked, palette.near, shadow * 0.7) : mix(palette.near, palette.far, 0.3);
  const accent = mix(asked ?? palette.accent, palette.near, shadow * 0.6);
  const css = (colour: Colour) => toHex(colour);
  return {
    body: css(base),
    dark: css(mix(base, palette.near, 0.75)),
    lit: css(mix(base, palette.light, 0.42 - shadow * 0.35)),
    accent: css(accent),
    accentDark: css(mix(accent, palette.near, 0.5)),
    accentLit: css(mix(lighten(accent, 0.25), palette.light, 0.3)),
    second: css(mix(palette.second, palette.near, shadow * 0.5)),
    pale: css(mix(mix([250, 246, 238], palette.haze, 0.28), palette.near, shadow)),
    glow: css(lighten(palette.light, 0.2)),
    window: css(
      palette.darkness > 0.3 ? mix([255, 214, 130], palette.second, 0.15) : mix(palette.sky[1]!, palette.near, 0.35),
    ),
    night: palette.darkness,
    random,
  };
}

/** Returns a linear gradient, left to right or top to bottom, for round and flat bodies. */
export function shaded(id: string, from: string, to: string, vertical = false): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${vertical ? 0 : 1}" y2="${vertical ? 1 : 0}"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
}

/** Returns the gradient of a ball lit from the upper left. */
export function rounded(id: string, lit: string, body: string, dark: string): string {
  return `<radialGradient id="${id}" cx=".36" cy=".3" r=".8"><stop offset="0" stop-color="${lit}"/><stop offset=".42" stop-color="${body}"/><stop offset="1" stop-color="${dark}"/></radialGradient>`;
}

/** Returns foliage of many small discs in clumps, lit from the upper left; `tones` go from dark to lit. */
export function leafage(
  ink: Ink,
  x: number,
  y: number,
  rx: number,
  ry: number,
  tones: readonly string[],
  count: number,
): string {
  const { random } = ink;
  const small = Math.min(rx, ry);
  const clumps = Array.from({ length: 11 }, () => {
    const angle = random() * Math.PI * 2;
    const far = Math.sqrt(random()) * 0.72;
    return { x: Math.cos(angle) * far, y: Math.sin(angle) * far };
  });
  // from the bottom up, so that the lit top of a clump covers the shade of the one above it
  clumps.sort((a, b) => b.y - a.y);
  let out = '';
  for (const clump of clumps) {
    for (let i = 0, each = Math.round(count / clumps.length); i < each; i++) {
      const angle = random() * Math.PI * 2;
      const far = Math.sqrt(random());
      const dx = Math.cos(angle) * far;
      const dy = Math.sin(angle) * far;
      const lit = 0.42 - dx * 0.22 - dy * 0.4 - clump.y * 0.18 - clump.x * 0.1 + (random() - 0.5) * 0.22;
      const tone = tones[Math.max(0, Math.min(tones.length - 1, Math.floor(lit * tones.length)))];
      out += `<circle cx="${(x + (clump.x + dx * 0.36) * rx).toFixed(1)}" cy="${(y + (clump.y + dy * 0.36) * ry).toFixed(1)}" r="${(small * between(random, 0.045, 0.085)).toFixed(1)}" fill="${tone}"/>`;
    }
  }
  return out;
}
