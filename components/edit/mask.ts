import { nearestToken, ratioOf } from '#lib/output-spec';

export interface Point {
  x: number;
  y: number;
}

export type Tool = 'brush' | 'lasso' | 'rectangle';

/** One step of painting, in image pixels. */
export type Mark =
  | { tool: 'brush'; size: number; points: Point[]; erases: boolean }
  | { tool: 'lasso' | 'rectangle'; points: Point[]; erases: boolean }
  | { tool: 'invert' };

/** A mark that is drawn by hand. */
export type Stroke = Exclude<Mark, { tool: 'invert' }>;

/** Colour of the region in a marked copy. */
export const MARK_COLOUR = '#ff00ff';

type Canvas = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** Clears the canvas and paints the marks in order. */
export function paintMarks(context: Canvas, marks: readonly Mark[], { width, height }: Size): void {
  context.globalCompositeOperation = 'source-over';
  context.clearRect(0, 0, width, height);
  context.fillStyle = context.strokeStyle = MARK_COLOUR;
  context.lineCap = context.lineJoin = 'round';
  for (const mark of marks) {
    if (mark.tool === 'invert') {
      context.globalCompositeOperation = 'xor';
      context.fillRect(0, 0, width, height);
      continue;
    }
    context.globalCompositeOperation = mark.erases ? 'destination-out' : 'source-over';
    context.beginPath();
    for (const { x, y } of outlineOf(mark)) context.lineTo(x, y);
    if (mark.tool === 'brush') {
      // a single point is painted as a dot
      const [first] = mark.points;
      if (first && mark.points.length === 1) context.lineTo(first.x + 0.01, first.y);
      context.lineWidth = mark.size;
      context.stroke();
    } else {
      context.closePath();
      context.fill();
    }
  }
}

export interface Size {
  width: number;
  height: number;
}

function outlineOf({ tool, points }: Stroke): readonly Point[] {
  const [from, to] = [points[0], points.at(-1)];
  if (tool !== 'rectangle' || !from || !to) return points;
  return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
}

/** Whether a stroke covers any area; a lasso or rectangle whose points are on one line does not. */
export function covers(stroke: Stroke): boolean {
  const [from = { x: 0, y: 0 }, ...others] = outlineOf(stroke);
  return (
    stroke.tool === 'brush' ||
    others.some(({ x, y }, index) => {
      const next = others[index + 1] ?? from;
      return (x - from.x) * (next.y - from.y) !== (y - from.y) * (next.x - from.x);
    })
  );
}

/** How far a frame extends beyond the image, as fractions of its width and height. */
export interface Reach {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns the frame for a reach, enlarged to the nearest available aspect ratio, with the position of the image. */
export function frameOf(size: Size, reach: Reach, tokens: readonly string[]) {
  const width = size.width * (1 + reach.left + reach.right);
  const height = size.height * (1 + reach.top + reach.bottom);
  const token = nearestToken(tokens, width / height)!;
  const frame = { width: Math.max(width, height * ratioOf(token)), height: Math.max(height, width / ratioOf(token)) };
  const x = share(reach.left, reach.right) * (frame.width - width) + reach.left * size.width;
  const y = share(reach.top, reach.bottom) * (frame.height - height) + reach.top * size.height;
  return {
    token,
    width: Math.round(frame.width),
    height: Math.round(frame.height),
    x: Math.round(x),
    y: Math.round(y),
  };
}

/** Returns the fraction of the enlargement that goes before the image. */
const share = (before: number, after: number) => (before + after > 0 ? before / (before + after) : 0.5);
