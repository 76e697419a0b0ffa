import { FRUIT_DRAWINGS } from '#components/architectures/fruit-drawings';

const SHEET = Object.entries(FRUIT_DRAWINGS)
  .map(([fruit, drawing]) => `<g id="fruit-${fruit}">${drawing}</g>`)
  .join('');

/** The fruit, drawn once in a document: every `Emblem` shows one from here, so that no page has them in its code. */
export const FruitSheet = () => (
  <svg aria-hidden className="hidden">
    <defs dangerouslySetInnerHTML={{ __html: SHEET }} />
  </svg>
);
