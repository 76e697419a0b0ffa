import type { RequestWire } from '#lib/contract/schemas';

/**
 * Returns the aspect ratio (width / height) of a request's place, known before there is anything to show, and limited
 * so that its acts have room; null for audio.
 */
export function shapeOf({ type, result, expected }: RequestWire): number | null {
  const { width, height } = result ?? expected;
  return type === 'audio' || !height ? null : boundShape(width / height);
}

export const boundShape = (aspect: number): number => Math.min(Math.max(aspect, 0.25), 4);
