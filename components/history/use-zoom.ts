'use client';

import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';

/** Where a picture stands: enlarged by `scale`, its middle moved by `x` and `y` pixels. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

const FIT: Zoom = { scale: 1, x: 0, y: 0 };
const MOST = 8;
const STEP = 1.4;

export type ZoomState = ReturnType<typeof useZoom>;

/** The zoom of a picture, or of several that move together. */
export function useZoom() {
  const [zoom, setZoom] = useState(FIT);
  const reset = useCallback(() => setZoom(FIT), []);
  const stepBy = useCallback((factor: number) => setZoom(before => zoomAt(before, factor, { x: 0, y: 0 })), []);
  const zoomIn = useCallback(() => stepBy(STEP), [stepBy]);
  const zoomOut = useCallback(() => stepBy(1 / STEP), [stepBy]);
  return { zoom, setZoom, reset, zoomIn, zoomOut };
}

type Point = { x: number; y: number };

/** Enlarges by a factor so that what is at `point` (from the middle of the stage) stays there. */
function zoomAt({ scale, x, y }: Zoom, factor: number, point: Point): Zoom {
  const next = Math.min(Math.max(scale * factor, 1), MOST);
  if (next === 1) return FIT;
  const ratio = next / scale;
  return { scale: next, x: point.x - (point.x - x) * ratio, y: point.y - (point.y - y) * ratio };
}

/** The picture stays in reach: at most half a stage beyond its edge. */
function hold({ scale, x, y }: Zoom, { width, height }: DOMRect): Zoom {
  const within = (value: number, side: number) => Math.min(Math.max(value, (-side * scale) / 2), (side * scale) / 2);
  return { scale, x: within(x, width), y: within(y, height) };
}

/** Wheel, drag, pinch, double press and the keys + − 0 on a stage. */
export function useZoomGestures({ zoom, setZoom, reset, zoomIn, zoomOut }: ZoomState) {
  const stage = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Map<number, Point>());

  const fromMiddle = useCallback((at: { clientX: number; clientY: number }): Point => {
    const { left, top, width, height } = stage.current!.getBoundingClientRect();
    return { x: at.clientX - left - width / 2, y: at.clientY - top - height / 2 };
  }, []);
  const change = useCallback(
    (next: (before: Zoom) => Zoom) => setZoom(before => hold(next(before), stage.current!.getBoundingClientRect())),
    [setZoom],
  );

  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const point = fromMiddle(event);
      change(before => zoomAt(before, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), point));
    };
    // React listens passively, and the page would scroll
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [change, fromMiddle]);

  const release = (event: PointerEvent) => void pointers.current.delete(event.pointerId);
  return {
    ref: stage,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      pointers.current.set(event.pointerId, fromMiddle(event));
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = fromMiddle(event);
      pointers.current.set(event.pointerId, now);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const factor = distance(now, other) / Math.max(distance(before, other), 1);
        change(zoom => zoomAt(zoom, factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }));
      } else if (zoom.scale > 1) {
        change(({ scale, x, y }) => ({ scale, x: x + now.x - before.x, y: y + now.y - before.y }));
      }
    },
    onPointerUp: release,
    onPointerCancel: release,
    onDoubleClick: (event: MouseEvent) => {
      const point = fromMiddle(event);
      if (zoom.scale > 1) reset();
      else change(before => zoomAt(before, 2.5, point));
    },
    onKeyDown: (event: KeyboardEvent) => {
      const act = { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': reset }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    },
  };
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
