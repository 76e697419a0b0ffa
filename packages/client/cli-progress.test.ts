import { expect, test } from 'vitest';
import { showProgress } from './cli-progress.ts';
import type { Generation } from './wire.ts';

/** Returns the output for a request that passes through these states. */
function written(isTTY: boolean, states: Partial<Generation>[]): string {
  let text = '';
  const out = { isTTY, write: (chunk: string) => Boolean((text += chunk)) } as NodeJS.WriteStream;
  const { update, end } = showProgress(out);
  for (const state of states) update(state as Generation);
  end();
  return text;
}

const STATES: Partial<Generation>[] = [
  { status: 'queued', queue_position: 3 },
  { status: 'in_progress', progress: 0.25, eta_seconds: 7.2 },
  { status: 'in_progress', progress: 0.5 },
  { status: 'completed' },
];

test('a terminal shows one line with place, progress bar and seconds, which is cleared at the end', () => {
  const lines = written(true, STATES).split('\r\u001B[2K');
  expect(lines).toEqual([
    '',
    'queued · place 3',
    'in progress · █████░░░░░░░░░░░░░░░ 25 % · about 8 s',
    'in progress · ██████████░░░░░░░░░░ 50 %',
    'completed',
    '',
  ]);
});

test('an output that is not a terminal gets each new status once', () => {
  expect(written(false, STATES)).toBe('queued\nin_progress\ncompleted\n');
});
