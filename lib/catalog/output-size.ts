interface Size {
  width: number;
  height: number;
}

/** Maximum factor by which the area of an output may differ from the one asked for. */
export const MOST_OFF = 1.16;

/** Maximum side in pixels of videos that are accepted as input, so that outputs can be used as input again. */
const MOST_SIDE = 8192;

/**
 * Returns the size whose sides are multiples of `multiple` with about this area, and the shape nearest the ratio (width
 * over height). Among sizes with that ratio to the pixel, the one with the nearest area.
 */
export function outputSize(ratio: number, area: number, multiple: number): Size {
  let best: Candidate | undefined;
  for (let width = multiple; width <= 2 * Math.sqrt(area * ratio) + multiple; width += multiple) {
    const height = Math.max(1, Math.round(width / ratio / multiple)) * multiple;
    if (Math.max(width, height) > MOST_SIDE) break;
    const isExact = Math.abs(width - height * ratio) < 1 || Math.abs(width / ratio - height) < 1;
    const growth = timesOff((width * height) / area);
    const candidate = { width, height, growth, bend: isExact ? 1 : timesOff(width / height / ratio) };
    if (!best || isBetter(candidate, best)) best = candidate;
  }
  const { width, height } = best ?? { width: multiple, height: multiple };
  return { width, height };
}

/** Returns the size, of those given, whose shape is nearest the ratio. */
export function nearestSize(sizes: readonly [number, number][], ratio: number): Size {
  const [[width, height] = [0, 0]] = sizes.toSorted((a, b) => bendOf(a, ratio) - bendOf(b, ratio));
  return { width, height };
}

const bendOf = ([width, height]: [number, number], ratio: number): number => timesOff(width / height / ratio);

/** A size, with the factors by which its area and its shape are off; 1 means exact. */
interface Candidate extends Size {
  growth: number;
  bend: number;
}

const timesOff = (quotient: number): number => Math.max(quotient, 1 / quotient);

/** Prefers sizes of acceptable area, then the better shape. If no area is acceptable, only the area counts. */
function isBetter(one: Candidate, other: Candidate): boolean {
  const [isNear, otherIs] = [one.growth <= MOST_OFF, other.growth <= MOST_OFF];
  if (isNear !== otherIs) return isNear;
  return isNear && one.bend !== other.bend ? one.bend < other.bend : one.growth < other.growth;
}
