/** Layout of the results of one press. */
interface Block {
  columns: number;
  rows: number;
  /** Aspect ratio (width / height) of the whole block. */
  shape: number;
}

/** Typical aspect ratio of the stage beside the composer. */
const STAGE = 1.25;

/** Lays out 1 to 4 results of one aspect ratio without gaps, so that they fill the stage best; four are 2 × 2. */
export function blockOf(shape: number, count: number): Block {
  const distance = ({ shape: whole }: Block) => Math.abs(Math.log(whole / STAGE));
  return (count === 4 ? [2] : [1, count])
    .map(columns => ({ columns, rows: count / columns, shape: (shape * columns * columns) / count }))
    .reduce((best, block) => (distance(block) < distance(best) ? block : best));
}
