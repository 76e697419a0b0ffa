import { lighten, mix, toHex, type Colour } from '#lib/engines/builtin/colour';
import { between, type Random } from '#lib/engines/builtin/random';
import type { Stage } from '#lib/engines/builtin/stage';

/** The colours a subject is drawn with, as CSS colours, and its own dice. Drawings fill a 100×100 box and stand on y = 100. */
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
  /** Lit windows at night, glass by day. */
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

/** A left-to-right shaded fill for round and flat bodies. */
export function shaded(id: string, from: string, to: string, vertical = false): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${vertical ? 0 : 1}" y2="${vertical ? 1 : 0}"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
}

/** A ball's fill: light from above left. */
export function rounded(id: string, lit: string, body: string, dark: string): string {
  return `<radialGradient id="${id}" cx=".36" cy=".3" r=".8"><stop offset="0" stop-color="${lit}"/><stop offset=".42" stop-color="${body}"/><stop offset="1" stop-color="${dark}"/></radialGradient>`;
}

/** Leafage: many overlapping discs, darker below, lighter towards the light. */
export function leafage(
  ink: Ink,
  x: number,
  y: number,
  rx: number,
  ry: number,
  tones: readonly string[],
  count: number,
): string {
  let out = '';
  for (let i = 0; i < count; i++) {
    const t = i / count;
    const angle = ink.random() * Math.PI * 2;
    const far = Math.sqrt(ink.random());
    const cx = x + Math.cos(angle) * far * rx - t * rx * 0.16;
    const cy = y + Math.sin(angle) * far * ry - t * ry * 0.3 + ry * 0.12;
    const r = between(ink.random, 0.1, 0.2) * Math.min(rx, ry) * (1.25 - t * 0.7);
    out += `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${r.toFixed(1)}" fill="${tones[Math.min(tones.length - 1, Math.floor(t * tones.length))]}"/>`;
  }
  return out;
}
