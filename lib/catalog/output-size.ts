interface Size {
  width: number;
  height: number;
}

/** How many times larger or smaller than asked for an output may be. */
export const MOST_OFF = 1.16;

/** The longest side of a film that is taken, so that what was made can be given again. */
const MOST_SIDE = 8192;

/**
 * Of the sizes with about this many pixels whose sides are multiples of `multiple`, the one whose shape is nearest the ratio
 * (width over height); of those that have it to the pixel, the one whose area is nearest.
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

/** Of these widths and heights the one whose shape is nearest the ratio. */
export function nearestSize(sizes: readonly [number, number][], ratio: number): Size {
  const [[width, height] = [0, 0]] = sizes.toSorted((a, b) => bendOf(a, ratio) - bendOf(b, ratio));
  return { width, height };
}

const bendOf = ([width, height]: [number, number], ratio: number): number => timesOff(width / height / ratio);

/** How many times its area and its shape are off, one way or the other: 1 where they are not. */
interface Candidate extends Size {
  growth: number;
  bend: number;
}

const timesOff = (quotient: number): number => Math.max(quotient, 1 / quotient);

/** A multiple that is coarse for so small an area leaves only what is nearest. */
function isBetter(one: Candidate, other: Candidate): boolean {
  const [isNear, otherIs] = [one.growth <= MOST_OFF, other.growth <= MOST_OFF];
  if (isNear !== otherIs) return isNear;
  return isNear && one.bend !== other.bend ? one.bend < other.bend : one.growth < other.growth;
}
