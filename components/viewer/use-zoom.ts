'use client';

import { useState } from 'react';

/** Where a picture stands: enlarged by `scale` from the size at which it is whole, its middle moved by `x` and `y` pixels. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

/** Pixels from the middle of the stage. */
export type Point = { x: number; y: number };

/** The least and the most that `scale` may be. */
type Limits = { least: number; most: number };

const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };
const MIDDLE: Point = { x: 0, y: 0 };
/** Times its own size. */
const MOST = 8;
const STEP = 1.4;

export type ZoomState = ReturnType<typeof useZoom>;

/** The zoom of a picture, or of several that move together. `percent` is of its own size: 100 is one of its pixels on one of the screen's. */
export function useZoom() {
  const [zoom, setZoom] = useState(WHOLE);
  // of its own pixels and those of the page, while it is whole; the stage knows
  const [fit, setFit] = useState(1);
  const density = typeof window === 'undefined' ? 1 : window.devicePixelRatio;
  const own = 1 / (fit * density);
  // a small picture is shown larger than it is, and may be made smaller
  const limits = { least: Math.min(1, own), most: Math.max(MOST * own, MOST / 2) };
  const zoomBy = (factor: number) => setZoom(before => zoomAt(before, factor, MIDDLE, limits));
  const reset = () => setZoom(WHOLE);
  const zoomIn = () => zoomBy(STEP);
  const zoomOut = () => zoomBy(1 / STEP);
  const actual = () => zoomBy(own / zoom.scale);
  return { zoom, setZoom, setFit, limits, percent: (zoom.scale / own) * 100, reset, zoomIn, zoomOut, actual };
}

/** Enlarges by a factor so that what is at `point` stays there. */
export function zoomAt({ scale, x, y }: Zoom, factor: number, point: Point, { least, most }: Limits): Zoom {
  const next = Math.min(Math.max(scale * factor, least), most);
  if (next <= 1) return { ...WHOLE, scale: next };
  const ratio = next / scale;
  return { scale: next, x: point.x - (point.x - x) * ratio, y: point.y - (point.y - y) * ratio };
}

/** How what is zoomed stands on its stage. */
export const placeOf = ({ zoom: { scale, x, y } }: ZoomState) => ({
  transform: `translate(${x}px, ${y}px) scale(${scale})`,
});
