/** How the results of one press share a block. */
interface Block {
  columns: number;
  rows: number;
  /** Width over height of the whole. */
  shape: number;
}

/** A stage beside its composer is a little wider than high. */
const STAGE = 1.25;

/** Results of one shape (width over height), 1 to 4 of them, in equal places without a hole: as the stage is filled best, four as 2 × 2. */
export function blockOf(shape: number, count: number): Block {
  const distance = ({ shape: whole }: Block) => Math.abs(Math.log(whole / STAGE));
  return (count === 4 ? [2] : [1, count])
    .map(columns => ({ columns, rows: count / columns, shape: (shape * columns * columns) / count }))
    .reduce((best, block) => (distance(block) < distance(best) ? block : best));
}
