import { frameOf, MARK_COLOUR, paintMarks, type Mark, type Reach, type Size } from '#components/edit/mask';

/** Maximum length of a copy's longer side, in pixels. Models need no more of a copy that only shows where to edit. */
const LONGEST = 2048;

const sized = ({ width, height }: Size) => {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  return { scale, canvas: new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale)) };
};

/** Returns a copy of the image with the marked region in magenta, its edge blurred by `feather` pixels. */
export function markedCopy(picture: ImageBitmap, marks: readonly Mark[], feather: number): Promise<Blob> {
  const { scale, canvas } = sized(picture);
  const mask = new OffscreenCanvas(picture.width, picture.height);
  paintMarks(mask.getContext('2d')!, marks, picture);
  const context = canvas.getContext('2d')!;
  context.scale(scale, scale);
  context.drawImage(picture, 0, 0);
  if (feather > 0) context.filter = `blur(${feather * scale}px)`;
  context.drawImage(mask, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Returns a mask of the image's size: white where marked, otherwise black, the edge blurred by `feather` pixels. */
export function maskOf({ width, height }: Size, marks: readonly Mark[], feather: number): Promise<Blob> {
  const marked = new OffscreenCanvas(width, height);
  const ink = marked.getContext('2d')!;
  paintMarks(ink, marks, { width, height });
  ink.globalCompositeOperation = 'source-in';
  ink.fillStyle = '#fff';
  ink.fillRect(0, 0, width, height);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.fillRect(0, 0, width, height);
  if (feather > 0) context.filter = `blur(${feather}px)`;
  context.drawImage(marked, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Returns the image in its position on a larger magenta canvas. */
export function largerCanvas(picture: ImageBitmap, reach: Reach, tokens: readonly string[]): Promise<Blob> {
  const frame = frameOf(picture, reach, tokens);
  const { scale, canvas } = sized(frame);
  const context = canvas.getContext('2d')!;
  context.fillStyle = MARK_COLOUR;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.drawImage(picture, frame.x, frame.y);
  return canvas.convertToBlob({ type: 'image/png' });
}
