import type { ReactNode } from 'react';

/** Cards side by side in rows of about one height, each as wide as its picture's shape wants. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className="flex flex-wrap items-start gap-x-4 gap-y-7">{children}</ul>;
}

const HEIGHT = 15;

/** A card's place in the rows. `aspect` is width over height, null for sound. */
export function Place({ aspect, children }: { aspect: number | null; children: ReactNode }) {
  const shape = Math.min(Math.max(aspect ?? 1.9, 0.62), 2.4);
  return (
    <li
      className="min-w-44 max-sm:max-w-none! max-sm:basis-full!"
      style={{ flexGrow: shape, flexBasis: `${shape * HEIGHT}rem`, maxWidth: `${shape * HEIGHT * 1.5}rem` }}
    >
      {children}
    </li>
  );
}
