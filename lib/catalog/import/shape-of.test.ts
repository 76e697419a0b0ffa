import { expect, test } from 'vitest';
import type { WorkflowImport } from '#lib/catalog/import/import-workflow';
import { shapeOf } from '#lib/catalog/import/shape-of';

/** Returns the shape of a graph with these values, of which `exposed` are exposed. */
function shape(
  type: Parameters<typeof shapeOf>[1],
  values: Record<string, number>,
  exposed: string[],
  choices: Parameters<typeof shapeOf>[3] = {},
) {
  const proposals = Object.entries(values).map(([name, value]) => ({
    name,
    value,
    binding: { to: [], set: { from: `output.${name}`, step: 8 } },
    on: true,
  }));
  return shapeOf({ proposals } as unknown as WorkflowImport, type, new Set(exposed), choices);
}

const WIDE = { width: 1024, height: 576 };
const SIZED = ['width', 'height'];

test('unless width and height are both exposed, the only aspect ratio is the nearest to the size of the graph', () => {
  for (const exposed of [[], ['width'], ['height']])
    expect(shape('image', WIDE, exposed, { sizes: { small: 300, large: 900 } })).toEqual({
      fields: { aspect_ratio: { enum: ['16:9'], default: '16:9' } },
      output: { fit: 'area', side: 768, multiple: 16 },
      ignores: ['aspect_ratio'],
    });
});

test('by default, a graph of a common size keeps its shape', () => {
  const sizes = [
    [1344, 576],
    [1024, 768],
    [1280, 1024],
    [768, 1024],
    [576, 1024],
  ];
  const shapes = sizes.map(([width, height]) => shape('image', { width: width!, height: height! }, SIZED));
  const ratios = ['21:9', '4:3', '5:4', '3:4', '9:16'];
  expect(shapes.map(({ fields }) => fields.aspect_ratio!.default)).toEqual(ratios);
});

test('the default size is the one nearest to that of the graph, and a single size is not offered as a choice', () => {
  const choices = { ratios: ['1:1', '16:9'], sizes: { large: 1500, usual: 800, small: 300 } };
  expect(shape('image', WIDE, SIZED, choices)).toEqual({
    fields: {
      aspect_ratio: { enum: ['1:1', '16:9'], default: '16:9' },
      resolution: { enum: ['small', 'usual', 'large'], default: 'usual' },
    },
    output: { fit: 'area', side: { small: 300, usual: 800, large: 1500 }, multiple: 16 },
    ignores: [],
  });
  const { fields, output } = shape('image', WIDE, SIZED, { sizes: { usual: 700 } });
  expect([Object.keys(fields), output]).toEqual([['aspect_ratio'], { fit: 'area', side: 700, multiple: 16 }]);
});

test('a video offers the given durations and its own in order, or keeps the frame count of its graph', () => {
  const film = { ...WIDE, frames: 81, fps: 16 };
  const seconds = ['10', '3'];
  expect(shape('video', film, [...SIZED, 'frames'], { seconds })).toMatchObject({
    fields: { duration: { enum: ['3', '5', '10'], default: '5' } },
    output: { fps: 16 },
    seconds: { field: 'duration', base: 5 },
    ignores: [],
  });
  const fixed = shape('video', film, SIZED, { seconds });
  expect(fixed).toMatchObject({ output: { fps: 16, frames: 81 }, ignores: [] });
  expect([Object.keys(fixed.fields), fixed.seconds]).toEqual([['aspect_ratio'], undefined]);
  // a graph without either value
  expect(shape('video', WIDE, SIZED).output).toMatchObject({ fps: 24, frames: 120 });
});

test('audio lasts at least one second, or as long as in the graph if its duration is not exposed', () => {
  expect(shape('audio', { duration: 0.2 }, ['duration'], { seconds: ['5'] })).toEqual({
    fields: { duration: { enum: ['1', '5'], default: '1' } },
    seconds: { field: 'duration', base: 1 },
    ignores: [],
  });
  expect(shape('audio', { duration: 12 }, [])).toEqual({
    fields: { duration: { enum: ['12'], default: '12' } },
    ignores: ['duration'],
  });
});
