export interface Size {
  width: number;
  height: number;
}

/** How many times larger or smaller than asked for an output may be. */
export const MOST_OFF = 1.16;

/**
 * Of the sizes with about this many pixels whose sides are multiples of `multiple`, the one whose shape is nearest the ratio
 * (width over height); of those that have it to the pixel, the one whose area is nearest.
 */
export function outputSize(ratio: number, area: number, multiple: number): Size {
  const sizes: (Size & { bend: number; growth: number })[] = [];
  for (let width = multiple; width <= 2 * Math.sqrt(area * ratio) + multiple; width += multiple) {
    const height = Math.max(1, Math.round(width / ratio / multiple)) * multiple;
    const isExact = Math.abs(width - height * ratio) < 1 || Math.abs(width / ratio - height) < 1;
    const growth = Math.exp(Math.abs(Math.log((width * height) / area)));
    sizes.push({ width, height, growth, bend: isExact ? 0 : Math.abs(Math.log(width / height / ratio)) });
  }
  const near = sizes.filter(({ growth }) => growth <= MOST_OFF);
  // a multiple that is coarse for so small an area leaves only what is nearest
  const allowed = near.length ? near : sizes.toSorted((a, b) => a.growth - b.growth).slice(0, 1);
  const [{ width, height } = { width: multiple, height: multiple }] = allowed.toSorted(
    (a, b) => a.bend - b.bend || a.growth - b.growth,
  );
  return { width, height };
}
