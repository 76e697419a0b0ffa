'use client';

import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import { zoomAt, type Point, type Zoom, type ZoomState } from '#components/viewer/use-zoom';

/** Pixels. */
type Size = { width: number; height: number };
type Stage = RefObject<HTMLDivElement | null>;

/** As much of a key press as the gestures read, React's or the page's. */
type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'preventDefault'>;

/** Wheel, drag, pinch, double press and the keys + − 0 1 on a stage for a picture of this size. */
export function useZoomGestures(
  { zoom, setZoom, setFit, limits, reset, zoomIn, zoomOut, actual }: ZoomState,
  size: Size,
  /** Whether one pointer moves the picture; where it draws on it, two do. */
  isMovedByOne = true,
) {
  const stage = useRef<HTMLDivElement>(null);
  const change = (next: (before: Zoom) => Zoom) =>
    setZoom(before => hold(next(before), stage.current!.getBoundingClientRect()));
  const zoomBy = (factor: number, point: Point) => change(before => zoomAt(before, factor, point, limits));
  useFit(stage, size, setFit);
  useWheel(stage, zoomBy);
  const pointers = useRef(new Map<number, Point>());
  const release = (event: PointerEvent) => void pointers.current.delete(event.pointerId);
  return {
    ref: stage,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      pointers.current.set(event.pointerId, fromMiddle(stage, event));
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = fromMiddle(stage, event);
      pointers.current.set(event.pointerId, now);
      const by = { x: now.x - before.x, y: now.y - before.y };
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const factor = distance(now, other) / Math.max(distance(before, other), 1);
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        // the middle between the two moves half as far as the one
        change(zoom => moved(zoomAt(zoom, factor, middle, limits), { x: by.x / 2, y: by.y / 2 }));
      } else if (isMovedByOne) change(zoom => moved(zoom, by));
    },
    onPointerUp: release,
    onPointerCancel: release,
    onDoubleClick: (event: MouseEvent) => (zoom.scale > 1 ? reset() : zoomBy(2.5, fromMiddle(stage, event))),
    onKeyDown: (event: Press) => {
      const act = { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': reset, '1': actual }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    },
  };
}

/** Measures how large the picture is while it is whole, as a part of its own size. */
function useFit(stage: Stage, { width, height }: Size, onFit: (fit: number) => void) {
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element) return;
    const measure = () => onFit(Math.min(element.clientWidth / width, element.clientHeight / height));
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [stage, onFit, width, height]);
}

function useWheel(stage: Stage, zoomBy: (factor: number, point: Point) => void) {
  const turn = useEffectEvent((event: WheelEvent) =>
    zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), fromMiddle(stage, event)),
  );
  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      turn(event);
    };
    // one finger may scroll past the picture, two that move up and down would, too
    const onTouch = (event: TouchEvent) => event.cancelable && event.touches.length > 1 && event.preventDefault();
    // React listens passively, and the page would scroll
    const over = new AbortController();
    const options = { passive: false, signal: over.signal };
    element?.addEventListener('wheel', onWheel, options);
    element?.addEventListener('touchstart', onTouch, options);
    element?.addEventListener('touchmove', onTouch, options);
    return () => over.abort();
  }, [stage]);
}

function fromMiddle(stage: Stage, at: { clientX: number; clientY: number }): Point {
  const { left, top, width, height } = stage.current!.getBoundingClientRect();
  return { x: at.clientX - left - width / 2, y: at.clientY - top - height / 2 };
}

/** A whole picture stays where it is. */
const moved = ({ scale, x, y }: Zoom, by: Point): Zoom =>
  scale > 1 ? { scale, x: x + by.x, y: y + by.y } : { scale, x, y };

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/** The picture stays in reach: at most half a stage beyond its edge. */
function hold({ scale, x, y }: Zoom, { width, height }: DOMRect): Zoom {
  const within = (value: number, side: number) => Math.min(Math.max(value, (-side * scale) / 2), (side * scale) / 2);
  return { scale, x: within(x, width), y: within(y, height) };
}
