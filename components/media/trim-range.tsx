'use client';

import { clockOf } from '#components/generations/words';

const LEAST = 0.1;
const STEP = 0.05;

/** A part of something that has a length: two ends to be moved over what is shown behind them. All in seconds. */
export function TrimRange({
  seconds,
  part: [from, to],
  most = seconds,
  onChange,
}: {
  seconds: number;
  part: Part;
  /** Longest part; the other end comes along. */
  most?: number;
  onChange: (part: Part) => void;
}) {
  const at = (moment: number) => `${(moment / seconds) * 100}%`;
  const ends = [
    {
      name: 'Start of the part',
      value: from,
      move: (next: number): Part => {
        const start = Math.min(next, seconds - LEAST);
        return [start, Math.min(Math.max(to, start + LEAST), start + most)];
      },
    },
    {
      name: 'End of the part',
      value: to,
      move: (next: number): Part => {
        const end = Math.max(next, LEAST);
        return [Math.max(Math.min(from, end - LEAST), end - most), end];
      },
    },
  ];
  return (
    <div className="trim absolute inset-0">
      <span className="absolute inset-y-0 left-0 bg-sunk/75" style={{ width: at(from) }} />
      <span className="absolute inset-y-0 right-0 bg-sunk/75" style={{ left: at(to) }} />
      <span
        className="absolute inset-y-0 rounded-sm border-2 border-accent"
        style={{ left: at(from), width: at(to - from) }}
      />
      {ends.map(({ name, value, move }) => (
        <input
          key={name}
          type="range"
          aria-label={name}
          aria-valuetext={`${clockOf(value)}, ${(to - from).toFixed(1)} seconds are kept`}
          min={0}
          // the last step may be a part of one: the end is within reach
          max={Math.ceil(seconds / STEP) * STEP}
          step={STEP}
          value={value}
          onChange={event => onChange(move(Math.min(event.target.valueAsNumber, seconds)))}
        />
      ))}
    </div>
  );
}

/** From and to, in seconds. */
export type Part = readonly [from: number, to: number];
