'use client';

import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';

/** What is drawn before and after the window, in pixels. */
const AROUND = 900;
/** Between a row that is shown and the edge. */
const GAP = 12;
/** The bar below, on phones. */
const FOOT = 64;

/** How far down the bar reaches that stays over the list: it has as many rows as the window makes of it. */
function headHeight(): number {
  const bar = document.querySelector<HTMLElement>('[data-head]');
  return bar ? bar.offsetHeight + (Number.parseFloat(getComputedStyle(bar).top) || 0) : 0;
}

/** Which rows of a page's list are in the window or near it. Heights are known, so nothing is measured. */
export function useRowsInView(rows: readonly { height: number }[], top: number) {
  const starts = useMemo(() => {
    const found = [0];
    for (const { height } of rows) found.push(found.at(-1)! + height);
    return found;
  }, [rows]);
  // on the server, and until the page stands: the head of the list
  const [[from, to], setSpan] = useState<readonly [from: number, to: number]>([0, AROUND]);

  useEffect(() => {
    const look = () => {
      const y = window.scrollY - top;
      // in large steps: most scrolling draws nothing anew
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

  /** Scrolls as little as shows the row. */
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
