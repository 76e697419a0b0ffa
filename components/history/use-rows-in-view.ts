'use client';

import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';

/** Height rendered above and below the viewport, in pixels. */
const AROUND = 900;
/** Space between a row that is scrolled to and the edge, in pixels. */
const GAP = 12;
/** Height of the bar at the bottom of phones, in pixels. */
const FOOT = 64;

/** Returns how far down the sticky bar above the list reaches, in pixels; its contents wrap in narrow windows. */
function headHeight(): number {
  const bar = document.querySelector<HTMLElement>('[data-head]');
  return bar ? bar.offsetHeight + (Number.parseFloat(getComputedStyle(bar).top) || 0) : 0;
}

/** Returns the rows in or near the viewport. Row heights are known, so no element is measured. */
export function useRowsInView(rows: readonly { height: number }[], top: number) {
  const starts = useMemo(() => {
    const found = [0];
    for (const { height } of rows) found.push(found.at(-1)! + height);
    return found;
  }, [rows]);
  // the beginning of the list, on the server and until the first effect
  const [[from, to], setSpan] = useState<readonly [from: number, to: number]>([0, AROUND]);

  useEffect(() => {
    const look = () => {
      const y = window.scrollY - top;
      // large steps, so that most scroll events cause no re-render
      const step = (pixels: number) => Math.floor(pixels / 300) * 300;
      const next = [step(y - AROUND), step(y + window.innerHeight + AROUND)] as const;
      setSpan(before => (before[0] === next[0] && before[1] === next[1] ? before : next));
    };
    startTransition(look);
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [top]);

  /** Scrolls by the smallest distance that shows the row. */
  const show = useCallback(
    (row: number) => {
      const start = top + starts[row]! - headHeight() - GAP;
      const end = top + starts[row + 1]! + FOOT + GAP - window.innerHeight;
      window.scrollTo({ top: Math.min(start, Math.max(end, window.scrollY)), behavior: 'instant' });
    },
    [starts, top],
  );

  const seen = rows.map((_, row) => row).filter(row => starts[row + 1]! > from && starts[row]! < to);
  return { seen, starts, height: starts.at(-1)!, show };
}
