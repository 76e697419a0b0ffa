'use client';

import { clockOf } from '#components/generations/words';

const LEAST = 0.1;
const STEP = 0.05;

/** Selects a part of audio or video with two sliders, over the content behind them. All values in seconds. */
export function TrimRange({
  seconds,
  part: [from, to],
  most = seconds,
  onChange,
}: {
  seconds: number;
  part: Part;
  /** Maximum length of the part; moving one end beyond it moves the other. */
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
          // rounded up to a whole step, so that the end of the media can be reached
          max={Math.ceil(seconds / STEP) * STEP}
          step={STEP}
          value={value}
          onChange={event => onChange(move(Math.min(event.target.valueAsNumber, seconds)))}
        />
      ))}
    </div>
  );
}

/** Start and end, in seconds. */
export type Part = readonly [from: number, to: number];
