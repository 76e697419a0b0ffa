import { expect, test } from 'vitest';
import { architectureIdentity } from '#components/architectures/identity';

test('an id that names a fruit is that fruit, whatever stands around the name', () => {
  expect(architectureIdentity('mango')).toMatchObject({ fruit: 'mango' });
  expect(architectureIdentity('plum_2-fast')).toMatchObject({ fruit: 'plum' });
});

test('any other id is a blossom, always the same one', () => {
  expect(architectureIdentity('hidream')).toEqual(architectureIdentity('hidream'));
  expect(architectureIdentity('constructor')).toHaveProperty('blossom');
});

test('the blossoms of the catalog we ship differ in hue', () => {
  const ids = ['anima', 'z_image', 'chroma', 'hidream', 'ltx_video', 'seed_audio'];
  expect(new Set(ids.map(id => architectureIdentity(id).color)).size).toBe(ids.length);
});
