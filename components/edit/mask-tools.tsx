'use client';

import type { ReactNode } from 'react';
import { Brush, Contrast, Eraser, Lasso, RectangleHorizontal, Redo2, Undo2 } from 'lucide-react';
import type { Tool } from '#components/edit/mask';
import type { MarkHistory } from '#components/edit/use-mark-history';
import { IconButton } from '#components/ui/icon-button';
import { Slider } from '#components/ui/slider';
import type { ZoomState } from '#components/viewer/use-zoom';
import { ZoomButtons } from '#components/viewer/zoom-stage';

/** Settings of the drawing tools. */
export interface Drawing {
  tool: Tool;
  /** Whether strokes are removed from the region. */
  erases: boolean;
  /** Width of the brush in image pixels. */
  size: number;
}

export const TOOLS = [
  { tool: 'brush', name: 'Brush', icon: Brush, letter: 'b' },
  { tool: 'lasso', name: 'Lasso', icon: Lasso, letter: 'l' },
  { tool: 'rectangle', name: 'Rectangle', icon: RectangleHorizontal, letter: 'm' },
] as const;

/** Returns a brush size, rounded and clamped to the range for an image whose longer side is `side`. */
export const brushSize = (size: number, side: number): number =>
  Math.min(mostSize(side), Math.max(LEAST_SIZE, Math.round(size)));

const LEAST_SIZE = 4;
const mostSize = (side: number) => Math.round(side / 3);
const PRESSED = 'aria-pressed:bg-ink/10 aria-pressed:text-ink';

/** Toolbar for painting: tools, undo and redo, brush size, feather and zoom. */
export function MaskTools({
  side,
  drawing: { tool, erases, size },
  onDrawing,
  feather,
  onFeather,
  history: { add, undo, redo, canUndo, canRedo },
  zoom,
}: {
  /** Longer side of the image, in pixels. */
  side: number;
  drawing: Drawing;
  onDrawing: (part: Partial<Drawing>) => void;
  feather: number;
  onFeather: (pixels: number) => void;
  history: MarkHistory;
  zoom: ZoomState;
}) {
  return (
    <div role="toolbar" aria-label="Painting" className="flex flex-wrap items-center gap-1 max-md:gap-x-0">
      {TOOLS.map(({ tool: one, name, icon: Icon, letter }) => (
        <IconButton
          key={one}
          label={name}
          aria-keyshortcuts={letter}
          aria-pressed={tool === one}
          icon={<Icon className="size-5" aria-hidden />}
          onClick={() => onDrawing({ tool: one })}
          className={PRESSED}
        />
      ))}
      <IconButton
        label="Erase"
        aria-keyshortcuts="e"
        aria-pressed={erases}
        icon={<Eraser className="size-5" aria-hidden />}
        onClick={() => onDrawing({ erases: !erases })}
        className={PRESSED}
      />
      <IconButton
        label="Invert"
        icon={<Contrast className="size-5" aria-hidden />}
        onClick={() => add({ tool: 'invert' })}
      />
      <IconButton
        label="Undo"
        aria-disabled={!canUndo}
        icon={<Undo2 className="size-5" aria-hidden />}
        onClick={undo}
      />
      <IconButton
        label="Redo"
        aria-disabled={!canRedo}
        icon={<Redo2 className="size-5" aria-hidden />}
        onClick={redo}
      />
      <Named name="Size">
        <Slider
          aria-label="Size of the brush"
          min={LEAST_SIZE}
          max={mostSize(side)}
          value={size}
          disabled={tool !== 'brush'}
          onChange={event => onDrawing({ size: event.target.valueAsNumber })}
          className="grow"
        />
      </Named>
      <Named name="Feather">
        <Slider
          aria-label="Feather: how soft the edge is"
          min={0}
          max={Math.round(side / 20)}
          value={feather}
          onChange={event => onFeather(event.target.valueAsNumber)}
          className="grow"
        />
      </Named>
      {/* touch screens zoom with gestures, and a phone has no room for the buttons */}
      <ZoomButtons zoom={zoom} className="mx-auto pointer-coarse:max-md:hidden" />
    </div>
  );
}

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-40 grow items-center gap-2 px-1.5 text-xs text-faint">
    <span aria-hidden>{name}</span>
    {children}
  </div>
);
