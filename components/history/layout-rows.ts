import type { RequestWire } from '#lib/contract/schemas';

interface Placed {
  request: RequestWire;
  /** Zero-based index in the whole list. */
  index: number;
  width: number;
}

export type GalleryRow =
  | { kind: 'day'; key: string; day: string; height: number }
  | { kind: 'tiles'; key: string; tiles: Placed[]; mediaHeight: number; height: number };

export const GAP = 12;
/** Height of the two caption lines under each image at the default text size, in pixels. */
export const CAPTION = 46;
const ROW_GAP = 18;
const DAY_HEIGHT = 56;

/** Returns the aspect ratio of a tile: that of the (expected) result, clamped to what suits a row of this width. */
function aspectOf({ type, expected, result }: RequestWire, rowWidth: number): number {
  const { width, height } = result ?? expected;
  if (type === 'audio' || !width || !height) return 1.5;
  const [least, most] = rowWidth < 480 ? [0.75, 1.7] : [0.56, 2.4];
  return Math.min(Math.max(width / height, least), most);
}

/** Target height of a row, in pixels. Infinity gives each tile its own row, where there is no room for two. */
const targetHeight = (width: number) => (width < 260 ? Infinity : width < 480 ? 190 : width < 900 ? 215 : 250);

/**
 * Lays out images of any shape in justified rows of similar height, under the day they were made. The layout depends
 * on known sizes only, so it does not shift when images load. Rows grow with `scale`, the relative text size.
 */
export function layoutRows(
  requests: readonly RequestWire[],
  width: number,
  dayOf: (time: string) => string,
  { hasMore = false, scale = 1 } = {},
): GalleryRow[] {
  const rows: GalleryRow[] = [];
  const target = targetHeight(width / scale) * scale;
  let day = '';
  let open: { request: RequestWire; index: number; aspect: number }[] = [];
  let sum = 0;

  const close = (isFull: boolean) => {
    const [first] = open;
    if (!first) return;
    const room = width - GAP * (open.length - 1);
    // a row that is not full keeps the target height
    const mediaHeight = Math.round(isFull ? room / sum : Math.min(room / sum, target));
    const tiles = open.map(({ request, index, aspect }) => ({
      request,
      index,
      width: Math.floor(aspect * mediaHeight),
    }));
    if (isFull) tiles.at(-1)!.width += room - tiles.reduce((total, tile) => total + tile.width, 0);
    rows.push({
      kind: 'tiles',
      key: first.request.request_id,
      tiles,
      mediaHeight,
      height: mediaHeight + CAPTION * scale + ROW_GAP,
    });
    open = [];
    sum = 0;
  };

  for (const [index, request] of requests.entries()) {
    const its = dayOf(request.created_at);
    if (its !== day) {
      close(false);
      day = its;
      rows.push({ kind: 'day', key: its, day, height: DAY_HEIGHT * scale });
    }
    const aspect = aspectOf(request, width / scale);
    open.push({ request, index, aspect });
    sum += aspect;
    if ((width - GAP * (open.length - 1)) / sum <= target) close(true);
  }
  // an incomplete last row is held back while more requests follow, because they would change its layout visibly
  if (!hasMore || rows.length < 3) close(false);
  // the heading of a day is held back with its first row
  else if (rows.at(-1)?.kind === 'day') rows.pop();
  return rows;
}
