import type { Palette } from '#preview-engine/palette';
import type { Raster } from '#preview-engine/raster';
import type { Reading } from '#preview-engine/read-prompt';
import type { Noise } from '#preview-engine/noise';
import type { Random } from '#preview-engine/random';

/** Style of an architecture: small biases, the same for every prompt, that distinguish its images from others. */
export interface Hand {
  /** Colour temperature, from -0.06 (cool) to 0.06 (warm). */
  warmth: number;
  /** Factor on the saturation of colours. */
  chroma: number;
  /** Roughness of terrain, from 0 (smooth) to 1 (craggy). */
  roughness: number;
  grain: number;
  vignette: number;
  /** Factor on the glow of lights. */
  bloom: number;
}

/** Everything a painter needs. Layers are `width` wide, the frame plus `margin` on either side for camera pans. */
export interface Stage {
  prompt: string;
  width: number;
  height: number;
  margin: number;
  /** The row where land or water meets the sky. */
  horizon: number;
  /** Unit of sizes, in pixels: about the shorter side. */
  unit: number;
  /** Position of the sun or moon, in layer pixels. Shapes are lit from its side. */
  light: { x: number; y: number; shown: boolean };
  palette: Palette;
  reading: Reading;
  hand: Hand;
  random: Random;
  seed: number;
  noise: Noise;
}

/** An instant of a scene. `pan` is the camera position, -1 to 1. A still image has `seconds` 0 and `pan` 0. */
interface Moment {
  seconds: number;
  pan: number;
  /** Strength of rain, snow, fog and sparks, 0 to 1; they fade in over a given first frame. */
  weather: number;
}

/** Draws one element of a scene over those already in the frame. */
export type Paint = (frame: Raster, moment: Moment) => void;
