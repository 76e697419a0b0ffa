'use client';

import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { Brush, Contrast, Eraser, Lasso, RectangleHorizontal, Redo2, Undo2 } from 'lucide-react';
import { covers, paintMarks, type Mark, type Point, type Stroke, type Tool } from '#components/edit/mask';
import { useMarkHistory } from '#components/edit/use-mark-history';
import { IconButton } from '#components/ui/icon-button';
import { Slider } from '#components/ui/slider';

const TOOLS = [
  { tool: 'brush', name: 'Brush', icon: Brush },
  { tool: 'lasso', name: 'Lasso', icon: Lasso },
  { tool: 'rectangle', name: 'Rectangle', icon: RectangleHorizontal },
] as const;

/** Marks a region of a picture, by mouse, finger or pen, whose pressure makes the brush wider. */
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
  /** Pixels over which the edge of the region is soft. */
  feather: number;
  onFeather: (pixels: number) => void;
}) {
  const { width, height } = picture;
  const side = Math.max(width, height);
  const ground = useRef<HTMLCanvasElement>(null);
  const mask = useRef<HTMLCanvasElement>(null);
  const open = useRef<Stroke>(undefined);
  const [tool, setTool] = useState<Tool>('brush');
  const [erases, setErases] = useState(false);
  const [size, setSize] = useState(Math.round(side / 12));
  const { add, undo, redo, canRedo } = useMarkHistory(marks, onMarks);
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
  function begin(event: PointerEvent<HTMLCanvasElement>) {
    // a second finger, or the hand under a pen, paints nothing
    if (open.current || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const points = [pointOf(event)];
    const pressed = event.pointerType === 'pen' && event.pressure > 0 ? 0.5 + event.pressure : 1;
    open.current = tool === 'brush' ? { tool, size: size * pressed, points, erases } : { tool, points, erases };
    paint([...marks, open.current]);
  }
  function go(event: PointerEvent<HTMLCanvasElement>) {
    if (!open.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const passed = event.nativeEvent.getCoalescedEvents();
    open.current.points.push(...(passed.length > 0 ? passed : [event]).map(pointOf));
    paint([...marks, open.current]);
  }
  function end(event: PointerEvent<HTMLCanvasElement>) {
    if (!open.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const stroke = open.current;
    open.current = undefined;
    // with nothing marked there is nothing to edit
    if (covers(stroke) && (marks.length > 0 || !stroke.erases)) add(stroke);
    else paint(marks);
  }

  return (
    <div className="grid grid-cols-1 gap-3">
      <div role="toolbar" aria-label="Painting" className="flex flex-wrap items-center gap-1">
        {TOOLS.map(({ tool: one, name, icon: Icon }) => (
          <IconButton
            key={one}
            label={name}
            aria-pressed={tool === one}
            icon={<Icon className="size-5" aria-hidden />}
            onClick={() => setTool(one)}
            className="aria-pressed:bg-ink/10 aria-pressed:text-ink"
          />
        ))}
        <IconButton
          label="Take away"
          aria-pressed={erases}
          icon={<Eraser className="size-5" aria-hidden />}
          onClick={() => setErases(!erases)}
          className="aria-pressed:bg-ink/10 aria-pressed:text-ink"
        />
        <IconButton
          label="Invert"
          icon={<Contrast className="size-5" aria-hidden />}
          onClick={() => add({ tool: 'invert' })}
        />
        <IconButton
          label="Undo"
          disabled={marks.length === 0}
          icon={<Undo2 className="size-5" aria-hidden />}
          onClick={undo}
        />
        <IconButton label="Redo" disabled={!canRedo} icon={<Redo2 className="size-5" aria-hidden />} onClick={redo} />
        <div className="flex min-w-40 grow items-center gap-2 text-xs text-faint">
          <span aria-hidden>Size</span>
          <Slider
            aria-label="Size of the brush"
            min={4}
            max={Math.round(side / 3)}
            value={size}
            disabled={tool !== 'brush'}
            onChange={event => setSize(event.target.valueAsNumber)}
            className="grow"
          />
        </div>
        <div className="flex min-w-40 grow items-center gap-2 text-xs text-faint">
          <span aria-hidden>Feather</span>
          <Slider
            aria-label="Feather: how soft the edge is"
            min={0}
            max={Math.round(side / 20)}
            value={feather}
            onChange={event => onFeather(event.target.valueAsNumber)}
            className="grow"
          />
        </div>
      </div>
      <div
        className="@container relative mx-auto max-h-[min(52dvh,40rem)] max-w-full overflow-hidden rounded-md bg-sunk"
        style={{ aspectRatio: width / height, width: `min(100%, calc(min(52dvh, 40rem) * ${width / height}))` }}
      >
        <canvas ref={ground} width={width} height={height} aria-hidden className="absolute inset-0 size-full" />
        <canvas
          ref={mask}
          width={width}
          height={height}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is painted on
          role="img"
          aria-label={marks.length > 0 ? 'The image, with a region marked' : 'The image; nothing is marked yet'}
          className="absolute inset-0 size-full cursor-crosshair touch-none opacity-60"
          style={{ filter: feather ? `blur(${(feather / width) * 100}cqi)` : undefined }}
          onPointerDown={begin}
          onPointerMove={go}
          onPointerUp={end}
          onPointerCancel={end}
        />
      </div>
    </div>
  );
}
