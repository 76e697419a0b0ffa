import { setImmediate as laterOn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurn } from '#lib/db/in-turn';

test('the tasks of a line run one at a time, also one that arrives after the first has ended', async () => {
  const done = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const turn = (n: number) =>
    inTurn('a line', () => {
      begun.push(n);
      return done[n]!.promise;
    });
  const [first, second] = [turn(0), turn(1)];
  done[0]!.resolve();
  await first;
  const third = turn(2);
  await laterOn();
  expect(begun).toEqual([0, 1]);
  done[1]!.resolve();
  await second;
  done[2]!.resolve();
  await third;
  expect(begun).toEqual([0, 1, 2]);
});

test('the next task receives the error of the failed task before it, and does not fail because of it', async () => {
  const told: unknown[] = [];
  const first = inTurn('another line', () => Promise.reject(new Error('lost')));
  const second = inTurn('another line', async failure => void told.push(failure));
  const third = inTurn('another line', async failure => void told.push(failure));
  await expect(first).rejects.toThrow('lost');
  await Promise.all([second, third]);
  expect(told).toEqual([new Error('lost'), undefined]);
});
