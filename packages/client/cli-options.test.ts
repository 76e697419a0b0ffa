import { expect, test } from 'vitest';
import { readOptions, UsageError } from './cli-options.ts';
import type { Architecture } from './wire.ts';

const model = {
  input_schema: {
    properties: {
      prompt: { type: 'string' },
      seed: { type: ['integer', 'null'] },
      scale: { type: 'number' },
      voices: { type: 'boolean' },
      image: { type: 'string', 'x-media': 'image' },
    },
  },
} as unknown as Architecture;

test('numbers and booleans are read as such', async () => {
  const args = 'dusk --seed 7 --scale 1.5 --voices false --max-gems 20'.split(' ');
  const { config, maxGems } = await readOptions(model, args);
  expect(config).toEqual({ prompt: 'dusk', seed: 7, scale: 1.5, voices: false });
  expect(maxGems).toBe(20);
});

test('a URL is not taken for a file name, even if its scheme is in capitals', async () => {
  const { config } = await readOptions(model, ['dusk', '--image', 'HTTPS://a.example/fig.png']);
  expect(config.image).toBe('HTTPS://a.example/fig.png');
});

test.each([
  ['--seed', 'seven'],
  ['--seed', ''],
  ['--scale', 'Infinity'],
  ['--voices', 'no'],
  ['--max-gems', 'few'],
])('%s %s is a usage error that names the option', async (option, value) => {
  await expect(readOptions(model, ['dusk', option, value])).rejects.toThrow(UsageError);
  await expect(readOptions(model, ['dusk', option, value])).rejects.toThrow(option);
});
