import { expect, test } from 'vitest';
import { covers, frameOf } from '#components/edit/mask';

const TOKENS = ['16:9', '1:1', '4:5', '9:16'];
const SIZE = { width: 1000, height: 1000 };
const REACH = { left: 0, right: 0, top: 0, bottom: 0 };

test('an extended frame gets an aspect ratio that the model supports, and grows on the dragged sides', () => {
  expect(frameOf(SIZE, REACH, TOKENS)).toEqual({ token: '1:1', width: 1000, height: 1000, x: 0, y: 0 });
  const right = frameOf(SIZE, { ...REACH, right: 0.7 }, TOKENS);
  expect(right).toEqual({ token: '16:9', width: 1778, height: 1000, x: 0, y: 0 });
  const both = frameOf(SIZE, { ...REACH, left: 0.35, right: 0.35 }, TOKENS);
  expect(both).toMatchObject({ token: '16:9', x: 389, y: 0 });
  const up = frameOf(SIZE, { ...REACH, top: 0.8 }, TOKENS);
  expect(up).toMatchObject({ token: '9:16', width: 1013, height: 1800, x: 6, y: 800 });
});

test('a lasso or rectangle covers something only if it encloses an area; a brush stroke always does', () => {
  const outline = (tool: 'lasso' | 'rectangle', ...places: [x: number, y: number][]) =>
    covers({ tool, erases: false, points: places.map(([x, y]) => ({ x, y })) });
  expect(outline('rectangle', [5, 5])).toBe(false);
  expect(outline('rectangle', [5, 5], [9, 9], [9, 5])).toBe(false);
  expect(outline('rectangle', [5, 5], [6, 6])).toBe(true);
  expect(outline('lasso', [5, 5], [9, 9], [7, 7])).toBe(false);
  expect(outline('lasso', [0, 0], [9, 9], [9, 0], [0, 9])).toBe(true);
  expect(covers({ tool: 'brush', size: 4, erases: false, points: [{ x: 5, y: 5 }] })).toBe(true);
});
