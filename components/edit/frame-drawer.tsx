'use client';

import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { frameOf, type Reach } from '#components/edit/mask';

const EDGES = [
  { edge: 'left', name: 'left', place: 'inset-y-0 left-0 w-6 border-l-4 cursor-ew-resize', axis: 'x', sign: -1 },
  { edge: 'right', name: 'right', place: 'inset-y-0 right-0 w-6 border-r-4 cursor-ew-resize', axis: 'x', sign: 1 },
  { edge: 'top', name: 'top', place: 'inset-x-0 top-0 h-6 border-t-4 cursor-ns-resize', axis: 'y', sign: -1 },
  { edge: 'bottom', name: 'bottom', place: 'inset-x-0 bottom-0 h-6 border-b-4 cursor-ns-resize', axis: 'y', sign: 1 },
] as const;
/** Maximum extension at an edge, relative to the side of the image. */
const MOST = 1;
/** Extension per arrow key press. */
const STEP = 0.05;

/** Extends the frame of an image by dragging its edges, or by arrow keys on them. */
export function FrameDrawer({
  picture,
  reach,
  tokens,
  onReach,
}: {
  picture: ImageBitmap;
  reach: Reach;
  tokens: readonly string[];
  onReach: (reach: Reach) => void;
}) {
  const ground = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ from: number; reach: number; perPixel: number }>(undefined);
  useEffect(() => ground.current?.getContext('2d')?.drawImage(picture, 0, 0), [picture]);
  const frame = frameOf(picture, reach, tokens);
  const part = (pixels: number, of: number) => `${(pixels / of) * 100}%`;
  const set = (edge: keyof Reach, value: number) => onReach({ ...reach, [edge]: Math.min(MOST, Math.max(0, value)) });

  function begin(event: PointerEvent<HTMLElement>, { edge, axis }: (typeof EDGES)[number]) {
    event.currentTarget.setPointerCapture(event.pointerId);
    const shown = box.current!.getBoundingClientRect();
    // at the scale when the drag begins, because the frame is rescaled during the drag
    const perPixel =
      axis === 'x' ? frame.width / shown.width / picture.width : frame.height / shown.height / picture.height;
    drag.current = { from: axis === 'x' ? event.clientX : event.clientY, reach: reach[edge], perPixel };
  }
  function go(event: PointerEvent, { edge, axis, sign }: (typeof EDGES)[number]) {
    if (!drag.current) return;
    const { from, reach: before, perPixel } = drag.current;
    set(edge, before + ((axis === 'x' ? event.clientX : event.clientY) - from) * sign * perPixel);
  }
  function press(event: KeyboardEvent, { edge, axis, sign }: (typeof EDGES)[number]) {
    const [back, on] = axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key !== back && event.key !== on) return;
    event.preventDefault();
    set(edge, reach[edge] + STEP * sign * (event.key === on ? 1 : -1));
  }

  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm text-soft">
        Drag the edges outward. The image will be <span className="figures font-medium text-ink">{frame.token}</span>.
      </p>
      <div
        ref={box}
        className="relative mx-auto overflow-hidden rounded-md bg-[repeating-linear-gradient(45deg,var(--color-sunk)_0_10px,var(--color-raised)_10px_20px)]"
        style={{
          aspectRatio: frame.width / frame.height,
          width: `min(100%, calc(var(--tallest) * ${frame.width / frame.height}))`,
        }}
      >
        <canvas
          ref={ground}
          width={picture.width}
          height={picture.height}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas that shows an image
          role="img"
          aria-label="The image in its larger frame"
          className="absolute"
          style={{
            left: part(frame.x, frame.width),
            top: part(frame.y, frame.height),
            width: part(picture.width, frame.width),
            height: part(picture.height, frame.height),
          }}
        />
        {EDGES.map(one => (
          <button
            key={one.edge}
            type="button"
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an edge of the frame that is dragged
            role="slider"
            aria-label={`Room at the ${one.name}`}
            aria-orientation={one.axis === 'x' ? 'horizontal' : 'vertical'}
            aria-valuemin={0}
            aria-valuemax={MOST * 100}
            aria-valuenow={Math.round(reach[one.edge] * 100)}
            aria-valuetext={`${Math.round(reach[one.edge] * 100)} percent`}
            onPointerDown={event => begin(event, one)}
            onPointerMove={event => go(event, one)}
            onPointerUp={() => (drag.current = undefined)}
            onPointerCancel={() => (drag.current = undefined)}
            onKeyDown={event => press(event, one)}
            className={`absolute touch-none border-accent transition-colors hover:bg-accent/40 focus-visible:-outline-offset-2 ${one.place}`}
          />
        ))}
      </div>
    </div>
  );
}
