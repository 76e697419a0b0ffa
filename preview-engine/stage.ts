import type { Palette } from '#preview-engine/palette';
import type { Raster } from '#preview-engine/raster';
import type { Reading } from '#preview-engine/read-prompt';
import type { Noise } from '#preview-engine/noise';
import type { Random } from '#preview-engine/random';

/** How an architecture's pictures differ from another's: small biases, the same for every prompt. */
export interface Hand {
  /** -0.08 cool .. 0.08 warm. */
  warmth: number;
  /** Multiplies colourfulness. */
  chroma: number;
  /** 0 smooth .. 1 craggy. */
  roughness: number;
  grain: number;
  vignette: number;
  /** Multiplies the glow of lights. */
  bloom: number;
}

/** Everything a painter needs. Layers are `width` wide, `margin` more than the frame on either side, so that a camera can pan. */
export interface Stage {
  prompt: string;
  width: number;
  height: number;
  margin: number;
  /** The row where land or water meets the sky. */
  horizon: number;
  /** The size things are measured in: about the shorter side. */
  unit: number;
  /** Sun or moon, in layer pixels; its side decides where shapes are lit. */
  light: { x: number; y: number; shown: boolean };
  palette: Palette;
  reading: Reading;
  hand: Hand;
  random: Random;
  seed: number;
  noise: Noise;
}

/** One instant of a scene. `pan` is how far the camera has moved, -1..1; at 0 and 0 it is the still picture. */
interface Moment {
  seconds: number;
  pan: number;
  /** 0..1: how much of rain, snow, fog and sparks is there; lets them fade in over a given first frame. */
  weather: number;
}

/** One thing in a scene; it draws over what earlier ones left in the frame. */
export type Paint = (frame: Raster, moment: Moment) => void;
