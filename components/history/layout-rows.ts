import type { RequestWire } from '#lib/contract/schemas';

interface Placed {
  request: RequestWire;
  /** Place in the whole list, from 0. */
  index: number;
  width: number;
}

export type GalleryRow =
  | { kind: 'day'; key: string; day: string; height: number }
  | { kind: 'tiles'; key: string; tiles: Placed[]; mediaHeight: number; height: number };

export const GAP = 12;
/** Two lines under each picture, where letters have their usual size. */
export const CAPTION = 46;
const ROW_GAP = 18;
const DAY_HEIGHT = 56;

/** Width over height of a tile: the picture's own, within what a row of this width can bear. Known before there is a picture. */
function aspectOf({ type, expected, result }: RequestWire, rowWidth: number): number {
  const { width, height } = result ?? expected;
  if (type === 'audio' || !width || !height) return 1.5;
  const [least, most] = rowWidth < 480 ? [0.75, 1.7] : [0.56, 2.4];
  return Math.min(Math.max(width / height, least), most);
}

/** Where there is no room for two, each has a row of its own. */
const targetHeight = (width: number) => (width < 260 ? Infinity : width < 480 ? 190 : width < 900 ? 215 : 250);

/**
 * Pictures of any shape in rows of about one height that fill the width, as on a contact sheet, under the day they were made.
 * Everything follows from sizes that are known, so nothing moves when pictures arrive. Where letters are `scale` times as large
 * as usual, pictures are, too.
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
    // a row that is not full keeps the usual height
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
  // with more to come the last row waits until it is full, or it would be laid anew before one's eyes
  if (!hasMore || rows.length < 3) close(false);
  // a day waits with its first row
  else if (rows.at(-1)?.kind === 'day') rows.pop();
  return rows;
}
