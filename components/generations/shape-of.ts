import type { RequestWire } from '#lib/contract/schemas';

/** Width over height of a place: that of what is in it, as far as it leaves room for what can be done with it. */
export const inBounds = (aspect: number): number => Math.min(Math.max(aspect, 0.25), 4);

/** The same of a request, known before there is anything to see; null for sound. */
export function shapeOf({ type, result, expected }: RequestWire): number | null {
  const { width, height } = result ?? expected;
  return type === 'audio' || !height ? null : inBounds(width / height);
}
