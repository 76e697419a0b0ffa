import type { Blossom } from '#components/architectures/identity';

/** Template tag that puts markup on one line and joins arrays of markup. */
export const draw = (parts: TemplateStringsArray, ...values: unknown[]): string =>
  String.raw({ raw: parts }, ...values.map(value => [value].flat().join(''))).replaceAll(/\n\s*/g, '');

export const turn = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + (360 / count) * i);
const PETALS: Record<Blossom['shape'], string> = {
  round: 'M24 23C13 19 14.5 4 24 3 33.5 4 35 19 24 23Z',
  notched: 'M24 23C12.5 18 15 5.5 20 3.5 22 3 23.3 4.5 24 6.5 24.7 4.5 26 3 28 3.5 33 5.5 35.5 18 24 23Z',
  pointed: 'M24 23C15.5 17 17 8 24 1.5 31 8 32.5 17 24 23Z',
};

export function drawBlossom({ petals, shape, petal, deep }: Blossom): string {
  const slim = petals > 6 ? 5.4 / petals : 0.96;
  return draw`
      ${turn(petals).map(
        (angle, i) => draw`
        <g transform="rotate(${angle} 24 24) translate(${24 - 24 * slim} 0) scale(${slim} 1)">
          <path d="${PETALS[shape]}" fill="${petal}" fill-opacity="${i % 2 && petals % 2 === 0 ? 0.86 : 1}"/>
          <path d="M24 23C22.5 17 22.8 13 24 9.5 25.2 13 25.5 17 24 23Z" fill="${deep}"/>
        </g>
      `,
      )}
      <circle cx="24" cy="24" r="5.2" fill="${deep}"/>
      <circle cx="24" cy="24" r="3" fill="#f6cf63"/>
      ${turn(petals, 180 / petals).map(
        angle => draw`
        <circle cx="24" cy="14.6" r="1.25" fill="#f6cf63" transform="rotate(${angle} 24 24)"/>
      `,
      )}`;
}
