import type { RequestWire } from '#lib/contract/schemas';

/**
 * Width over height of a request's place, known before there is anything to see, as far as it leaves room for what can be done with it;
 * null for sound.
 */
export function shapeOf({ type, result, expected }: RequestWire): number | null {
  const { width, height } = result ?? expected;
  return type === 'audio' || !height ? null : boundShape(width / height);
}

export const boundShape = (aspect: number): number => Math.min(Math.max(aspect, 0.25), 4);
