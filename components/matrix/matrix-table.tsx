'use client';

import type { ComponentProps, ReactNode } from 'react';
import type { Axis } from '#components/matrix/axes';

/** The places of a matrix with the labels of its sides. If it is wider than the page, it scrolls horizontally. */
export function MatrixTable({
  across,
  down,
  aspects,
  children,
  ...rest
}: Omit<ComponentProps<'section'>, 'children'> & {
  across: Axis;
  down: Axis;
  /** Aspect ratio (width / height) of each place, row by row; null for audio. */
  aspects: readonly (number | null)[];
  /** Renders the content of a place. */
  children: (index: number) => ReactNode;
}) {
  const columns = across.values.length;
  // rows are as high as the viewport allows for all of them, within limits
  const tall = `clamp(9rem, (100dvh - 15rem) / ${down.values.length}, 24rem)`;
  const widest = Math.max(...aspects.map(aspect => aspect ?? SOUND));
  return (
    // a scrollable region must be reachable by keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label="Matrix" tabIndex={0} className="min-w-0 overflow-x-auto" {...rest}>
      <table
        // on touch screens, columns are wide enough for a finger beside the two buttons on an image
        className="w-full table-fixed border-separate border-spacing-1.5 [--least:5.5rem] pointer-coarse:[--least:8.5rem]"
        style={{
          minWidth: `calc(${columns} * var(--least) + 4rem)`,
          maxWidth: `calc(8rem + ${columns} * ${widest} * ${tall})`,
        }}
      >
        <caption className="sr-only">
          {across.title} across, {down.title} down
        </caption>
        <thead>
          <tr>
            <td className="w-16 md:w-28">
              <span className="sr-only">{down.title}</span>
            </td>
            {across.values.map(({ label, value }) => (
              <th key={String(value)} scope="col" dir="auto" className={HEAD}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {down.values.map(({ label, value }, row) => (
            <tr key={String(value)}>
              <th scope="row" dir="auto" className={`${HEAD} sticky left-0 z-30 bg-paper pr-2 text-left align-middle`}>
                {label}
              </th>
              {across.values.map((column, at) => {
                const index = row * columns + at;
                const aspect = aspects[index] ?? SOUND;
                return (
                  <td key={String(column.value)} className="p-0 align-middle">
                    <div
                      // a flat place is made higher for a failure, so that its text and button are visible
                      className="relative mx-auto overflow-hidden rounded-md bg-sunk has-[.stage-failure]:min-h-28"
                      style={{ aspectRatio: aspect, width: `min(100%, ${aspect} * ${tall})` }}
                    >
                      {children(index)}
                    </div>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Aspect ratio of the place of audio, which has none of its own. */
const SOUND = 2;

const HEAD = 'figures py-1 text-sm font-medium break-words text-soft';
