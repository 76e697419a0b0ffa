import { FRUIT_DRAWINGS } from '#components/architectures/fruit-drawings';

const SHEET = Object.entries(FRUIT_DRAWINGS)
  .map(([fruit, drawing]) => `<g id="fruit-${fruit}">${drawing}</g>`)
  .join('');

/** All fruit drawings, once per document. Every `Emblem` refers to one, so that pages need no drawing code. */
export const FruitSheet = () => (
  <svg aria-hidden className="hidden">
    <defs dangerouslySetInnerHTML={{ __html: SHEET }} />
  </svg>
);
