'use client';

import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';

/** Position of an image: `scale` relative to the size that fits the stage, and the offset of its centre in pixels. */
interface Zoom {
  scale: number;
  x: number;
  y: number;
}

const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };
/** Maximum enlargement, as a multiple of the image's own size. */
const MOST = 8;
const STEP = 1.4;
const MIDDLE = { x: 0, y: 0 };

export type ZoomState = ReturnType<typeof useZoom>;

/** Zoom state of one image, or several that move together. At 100 `percent`, one image pixel fills one screen pixel. */
export function useZoom() {
  const [zoom, setZoom] = useState(WHOLE);
  // screen pixels per image pixel while the image fits the stage; the stage measures it
  const [fit, setFit] = useState(1);
  const own = 1 / fit;
  // a small image is enlarged to fit the stage, and may be reduced to its own size
  const limits = useMemo(() => ({ least: Math.min(1, own), most: Math.max(MOST * own, MOST / 2) }), [own]);
  const reset = useCallback(() => setZoom(WHOLE), []);
  const zoomBy = useCallback(
    (factor: number, point: Point = MIDDLE) => setZoom(before => zoomAt(before, factor, point, limits)),
    [limits],
  );
  const zoomIn = useCallback(() => zoomBy(STEP), [zoomBy]);
  const zoomOut = useCallback(() => zoomBy(1 / STEP), [zoomBy]);
  const actual = useCallback(
    () => setZoom(before => zoomAt(before, own / before.scale, MIDDLE, limits)),
    [own, limits],
  );
  return { zoom, setZoom, setFit, limits, percent: (zoom.scale / own) * 100, reset, zoomIn, zoomOut, actual };
}

/** Returns the CSS transform of a zoomed element. */
export const placeOf = ({ zoom: { scale, x, y } }: ZoomState) => ({
  transform: `translate(${x}px, ${y}px) scale(${scale})`,
});

type Point = { x: number; y: number };
type Limits = { least: number; most: number };

/** Scales by a factor while the content at `point` (relative to the centre of the stage) stays in place. */
function zoomAt({ scale, x, y }: Zoom, factor: number, point: Point, { least, most }: Limits): Zoom {
  const next = Math.min(Math.max(scale * factor, least), most);
  if (next <= 1) return { ...WHOLE, scale: next };
  const ratio = next / scale;
  return { scale: next, x: point.x - (point.x - x) * ratio, y: point.y - (point.y - y) * ratio };
}

/** Moves an enlarged image; an image that fits the stage stays where it is. */
const moved = ({ scale, x, y }: Zoom, by: Point): Zoom =>
  scale > 1 ? { scale, x: x + by.x, y: y + by.y } : { scale, x, y };

/** Keeps the image within reach: its edges do not pass the middle of the stage. */
function hold({ scale, x, y }: Zoom, { width, height }: DOMRect): Zoom {
  const within = (value: number, side: number) => Math.min(Math.max(value, (-side * scale) / 2), (side * scale) / 2);
  return { scale, x: within(x, width), y: within(y, height) };
}

/** The fields of a keyboard event that the gestures read; satisfied by both React and DOM events. */
type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'preventDefault'>;

/** Handlers for wheel, drag, pinch, double click and the keys + - 0 1 on the stage of an image of this size. */
export function useZoomGestures(
  { zoom, setZoom, setFit, limits, reset, zoomIn, zoomOut, actual }: ZoomState,
  size: { width: number; height: number },
  /** Whether one pointer moves the image; false where one pointer draws on it and two move it. */
  isMovedByOne = true,
) {
  const stage = useRef<HTMLDivElement>(null);
  const { width, height } = size;
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element) return;
    const measure = () =>
      setFit(Math.min(element.clientWidth / width, element.clientHeight / height) * devicePixelRatio);
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [setFit, width, height]);
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
      change(before => zoomAt(before, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), point, limits));
    };
    // one finger may scroll the page; two fingers zoom, and would scroll it as well
    const onTouch = (event: TouchEvent) => event.cancelable && event.touches.length > 1 && event.preventDefault();
    // React's listeners are passive and could not prevent the page from scrolling
    element?.addEventListener('wheel', onWheel, { passive: false });
    element?.addEventListener('touchstart', onTouch, { passive: false });
    element?.addEventListener('touchmove', onTouch, { passive: false });
    return () => {
      element?.removeEventListener('wheel', onWheel);
      element?.removeEventListener('touchstart', onTouch);
      element?.removeEventListener('touchmove', onTouch);
    };
  }, [change, fromMiddle, limits]);

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
        // the midpoint of two pointers moves half as far as the pointer that moved
        const by = { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 };
        change(zoom => moved(zoomAt(zoom, factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }, limits), by));
      } else if (isMovedByOne) {
        change(zoom => moved(zoom, { x: now.x - before.x, y: now.y - before.y }));
      }
    },
    onPointerUp: release,
    onPointerCancel: release,
    onDoubleClick: (event: MouseEvent) => {
      const point = fromMiddle(event);
      if (zoom.scale > 1) reset();
      else change(before => zoomAt(before, 2.5, point, limits));
    },
    onKeyDown: (event: Press) => {
      const act = { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': reset, '1': actual }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    },
  };
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
