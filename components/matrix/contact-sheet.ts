import { isOver } from '#components/generations/words';
import type { Matrix } from '#components/matrix/matrices';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { fetchMedia, FileGone } from '#components/media/fetch-media';
import { sum } from '#lib/sum';

const PAPER = '#f8f1e4';
const SUNK = '#eae0cd';
const INK = '#241c16';
const SOFT = '#6c5f52';

/** Longest side of an image on the sheet, and the space around the images, in pixels. */
const SIDE = 480;
const GAP = 16;
const EDGE = 56;
const HEAD = 150;
const LABELS = 200;
const LABEL_LINE = 44;

/** Text styles; text that does not fit into `lines` is cut. */
const TITLE = { weight: 600, size: 34, colour: INK, lines: 2 };
const AXES = { weight: 400, size: 22, colour: SOFT, lines: 1 };
const COLUMN = { weight: 500, size: 24, colour: INK, lines: 1 };
const ROW = { ...COLUMN, lines: 4 };

/** Draws all images of a matrix and its labels as a PNG, which looks the same in both themes. */
export async function drawContactSheet(
  { prompt, across, down, aspects }: Matrix,
  places: readonly MatrixPlace[],
): Promise<Blob> {
  const columns = across.values.length;
  const sizes = aspects.map(aspect => sizeOf(aspect ?? 2));
  const widths = across.values.map((_, x) =>
    Math.max(...sizes.filter((_, n) => n % columns === x).map(one => one.width)),
  );
  const heights = down.values.map((_, y) =>
    Math.max(...sizes.slice(y * columns, (y + 1) * columns).map(one => one.height)),
  );
  const canvas = document.createElement('canvas');
  canvas.width = 2 * EDGE + LABELS + sum(widths) + GAP * (columns - 1);
  canvas.height = EDGE + HEAD + LABEL_LINE + sum(heights) + GAP * (down.values.length - 1) + EDGE;
  const paint = canvas.getContext('2d')!;
  const family = getComputedStyle(document.body).fontFamily;
  const write = (text: string, [x, y]: [number, number], width: number, look: typeof TITLE) => {
    paint.font = `${look.weight} ${look.size}px ${family}`;
    paint.fillStyle = look.colour;
    const shown = broken(paint, text, width, look.lines);
    for (const [n, line] of shown.entries()) paint.fillText(line, x, y + n * look.size * 1.35);
    return shown.length;
  };
  paint.fillStyle = PAPER;
  paint.fillRect(0, 0, canvas.width, canvas.height);
  const room = canvas.width - 2 * EDGE;
  const titleLines = write(prompt, [EDGE, EDGE + 34], room, TITLE);
  write(`${across.title} × ${down.title}`, [EDGE, EDGE + 34 + titleLines * 46], room, AXES);

  const pictures = await Promise.all(places.map(pictureOf));
  let top = EDGE + HEAD + LABEL_LINE;
  for (const [y, row] of down.values.entries()) {
    let left = EDGE + LABELS;
    write(row.label, [EDGE, top + heights[y]! / 2], LABELS - GAP, ROW);
    for (const [x, column] of across.values.entries()) {
      if (y === 0) write(column.label, [left, top - 18], widths[x]!, COLUMN);
      const at = y * columns + x;
      const { width, height } = sizes[at]!;
      const [cornerX, cornerY] = [left + (widths[x]! - width) / 2, top + (heights[y]! - height) / 2];
      const picture = pictures[at];
      paint.fillStyle = SUNK;
      if (picture) paint.drawImage(picture, cornerX, cornerY, width, height);
      else paint.fillRect(cornerX, cornerY, width, height);
      left += widths[x]! + GAP;
    }
    top += heights[y]! + GAP;
  }
  return new Promise((done, failed) =>
    canvas.toBlob(blob => (blob ? done(blob) : failed(new Error('The image is too large for this browser.')))),
  );
}

const sizeOf = (aspect: number) =>
  aspect > 1 ? { width: SIDE, height: Math.round(SIDE / aspect) } : { width: Math.round(SIDE * aspect), height: SIDE };

/** Returns the image, or the still of a video; null for audio. A deleted file does not prevent the sheet. */
async function pictureOf({ request }: MatrixPlace): Promise<ImageBitmap | null> {
  const result = request?.result;
  const url = result?.type === 'image' ? result.url : result?.preview_url;
  if (!result || !url || isOver(result.expires_at)) return null;
  const file = await fetchMedia(url).catch((error: unknown) => {
    if (error instanceof FileGone) return null;
    throw error;
  });
  return file && createImageBitmap(file);
}

/** Breaks a text into at most `most` lines; if it does not fit, the last one ends with an ellipsis. */
function broken(paint: CanvasRenderingContext2D, text: string, width: number, most: number): string[] {
  const lines: string[] = [''];
  const fits = (line: string) => paint.measureText(line).width <= width;
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (fits(longer) || lines.at(-1) === '') lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.slice(0, most).map((line, n) => {
    let shown = n === most - 1 && lines.length > most ? `${line}…` : line;
    while (!fits(shown) && shown.length > 2) shown = `${shown.replace(/…$/, '').slice(0, -1)}…`;
    return shown;
  });
}
