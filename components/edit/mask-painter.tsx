'use client';

import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { covers, paintMarks, type Mark, type Point, type Stroke } from '#components/edit/mask';
import { brushSize, MaskTools, TOOLS, type Drawing } from '#components/edit/mask-tools';
import { useMarkHistory } from '#components/edit/use-mark-history';
import { cn } from '#components/ui/cn';
import { layerOf } from '#components/ui/layer-of';
import { usePageKeys } from '#components/ui/use-page-keys';
import { placeOf, useZoom, useZoomGestures } from '#components/viewer/use-zoom';

const LAYER = 'absolute inset-0 size-full';
/** Factors by which [ and ] change the size of the brush. */
const STEPS: Record<string, number> = { '[': 0.8, ']': 1.25 };

/**
 * Marks a region of an image by mouse, touch or pen, whose pressure widens the brush. Zooms like the viewer; an
 * enlarged image is moved with two fingers, or while Space is held.
 */
export function MaskPainter({
  picture,
  marks,
  onMarks,
  feather,
  onFeather,
}: {
  picture: ImageBitmap;
  marks: readonly Mark[];
  onMarks: (marks: readonly Mark[]) => void;
  /** Blur of the region's edge, in pixels. */
  feather: number;
  onFeather: (pixels: number) => void;
}) {
  const { width, height } = picture;
  const side = Math.max(width, height);
  const ground = useRef<HTMLCanvasElement>(null);
  const mask = useRef<HTMLCanvasElement>(null);
  const open = useRef<Stroke>(undefined);
  /** Id of the pointer that draws the open stroke. */
  const by = useRef<number>(undefined);
  const [drawing, setDrawing] = useState<Drawing>({ tool: 'brush', erases: false, size: Math.round(side / 12) });
  const { tool, erases, size } = drawing;
  const onDrawing = (part: Partial<Drawing>) => setDrawing(now => ({ ...now, ...part }));
  const zoom = useZoom();
  const [isHand, setHand] = useState(false);
  const { ref: stage, ...gestures } = useZoomGestures(zoom, picture, isHand);
  const fingers = useRef(new Set<number>());
  const history = useMarkHistory(marks, onMarks);
  const paint = (all: readonly Mark[]) => paintMarks(mask.current!.getContext('2d')!, all, { width, height });

  useEffect(() => ground.current?.getContext('2d')?.drawImage(picture, 0, 0), [picture]);
  useEffect(() => {
    const context = mask.current?.getContext('2d');
    if (context) paintMarks(context, marks, { width, height });
  }, [marks, width, height]);

  function pointOf(event: { clientX: number; clientY: number }): Point {
    const box = mask.current!.getBoundingClientRect();
    return {
      x: Math.round(((event.clientX - box.left) / box.width) * width),
      y: Math.round(((event.clientY - box.top) / box.height) * height),
    };
  }
  function begin(event: PointerEvent) {
    if (event.button !== 0) return;
    const isFinger = event.pointerType === 'touch';
    if (isFinger) fingers.current.add(event.pointerId);
    if (isFinger || isHand) gestures.onPointerDown(event);
    // a second finger starts to zoom and discards the stroke of the first one
    if (fingers.current.size > 1 && by.current !== undefined && fingers.current.has(by.current)) drop();
    // a second finger, a palm beside a pen, or a drag with Space held does not paint
    if (open.current || isHand || fingers.current.size > 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    by.current = event.pointerId;
    const points = [pointOf(event)];
    const pressed = event.pointerType === 'pen' && event.pressure > 0 ? 0.5 + event.pressure : 1;
    open.current = tool === 'brush' ? { tool, size: size * pressed, points, erases } : { tool, points, erases };
    paint([...marks, open.current]);
  }
  function go(event: PointerEvent) {
    gestures.onPointerMove(event);
    if (!open.current || by.current !== event.pointerId) return;
    const passed = event.nativeEvent.getCoalescedEvents();
    open.current.points.push(...(passed.length > 0 ? passed : [event]).map(pointOf));
    paint([...marks, open.current]);
  }
  function end(event: PointerEvent) {
    gestures.onPointerUp(event);
    fingers.current.delete(event.pointerId);
    const stroke = open.current;
    if (!stroke || by.current !== event.pointerId) return;
    drop();
    // an erasing stroke is ignored while nothing is marked
    if (covers(stroke) && (marks.length > 0 || !stroke.erases)) history.add(stroke);
  }
  /** Discards the open stroke. */
  function drop() {
    open.current = by.current = undefined;
    paint(marks);
  }
  useEffect(() => {
    // a window that lost the focus is not told that Space was released
    const letGo = () => setHand(false);
    addEventListener('blur', letGo);
    return () => removeEventListener('blur', letGo);
  }, []);
  usePageKeys(event => {
    const isSpace = event.key === ' ';
    if (event.type === 'keyup') return isSpace && setHand(false);
    // layers on top handle their own keys
    if (layerOf(event.target) !== layerOf(ground.current)) return;
    if (isSpace) setHand(true);
    const step = STEPS[event.key];
    if (step) onDrawing({ size: brushSize(size * step, side) });
    const letter = event.key.toLowerCase();
    if (letter === 'e') onDrawing({ erases: !erases });
    const chosen = TOOLS.find(one => one.letter === letter);
    if (chosen) onDrawing({ tool: chosen.tool });
    if (isSpace || step || letter === 'e' || chosen) event.preventDefault();
    else gestures.onKeyDown(event);
  });

  return (
    <div className="grid grid-cols-1 gap-3">
      <MaskTools
        side={side}
        drawing={drawing}
        onDrawing={onDrawing}
        feather={feather}
        onFeather={onFeather}
        history={history}
        zoom={zoom}
      />
      <div
        ref={stage}
        className={cn(
          '@container relative mx-auto max-h-(--tallest) max-w-full touch-none overflow-hidden rounded-md bg-sunk select-none',
          isHand ? 'cursor-grab active:cursor-grabbing' : 'cursor-crosshair',
        )}
        style={{ aspectRatio: width / height, width: `min(100%, calc(var(--tallest) * ${width / height}))` }}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <div className="absolute inset-0" style={placeOf(zoom)}>
          <canvas ref={ground} width={width} height={height} aria-hidden className={LAYER} />
          <canvas
            ref={mask}
            width={width}
            height={height}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas that is painted on
            role="img"
            aria-label={marks.length > 0 ? 'The image, with a region marked' : 'The image; nothing is marked yet'}
            className={cn(LAYER, 'opacity-60')}
            style={{ filter: feather ? `blur(${(feather / width) * 100}cqi)` : undefined }}
          />
        </div>
      </div>
    </div>
  );
}
