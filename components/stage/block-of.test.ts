import { expect, test } from 'vitest';
import { blockOf } from '#components/stage/block-of';

const layout = (shape: number, count: number) => {
  const { columns, rows } = blockOf(shape, count);
  return `${columns} × ${rows}`;
};

test('a single result fills the block in its own aspect ratio', () => {
  expect(blockOf(0.8, 1)).toEqual({ columns: 1, rows: 1, shape: 0.8 });
});

test.each([0.43, 0.8, 1, 1.78, 2.33])(
  'four results of aspect ratio %d are laid out two by two in the same aspect ratio',
  shape => {
    expect(blockOf(shape, 4)).toEqual({ columns: 2, rows: 2, shape });
  },
);

test('two or three results are placed side by side if they are tall, and stacked if they are wide', () => {
  expect([0.5, 0.8, 1].map(shape => layout(shape, 2))).toEqual(['2 × 1', '2 × 1', '2 × 1']);
  expect([1.5, 1.78, 2.33].map(shape => layout(shape, 2))).toEqual(['1 × 2', '1 × 2', '1 × 2']);
  expect([0.5, 0.8].map(shape => layout(shape, 3))).toEqual(['3 × 1', '3 × 1']);
  expect([1.5, 1.78].map(shape => layout(shape, 3))).toEqual(['1 × 3', '1 × 3']);
});

test.each([0.56, 0.8, 1, 1.5, 2.33])('a block of results of aspect ratio %d has no empty cells', shape => {
  for (const count of [1, 2, 3, 4]) {
    const { columns, rows } = blockOf(shape, count);
    expect(columns * rows).toBe(count);
  }
});
