import { expect, test } from 'vitest';
import { architectureIdentity } from '#components/architectures/identity';

test('an id that contains the name of a fruit gets that fruit', () => {
  expect(architectureIdentity('mango')).toMatchObject({ fruit: 'mango' });
  expect(architectureIdentity('plum_2-fast')).toMatchObject({ fruit: 'plum' });
});

test('any other id always gets the same blossom', () => {
  expect(architectureIdentity('hidream')).toEqual(architectureIdentity('hidream'));
  expect(architectureIdentity('constructor')).toHaveProperty('blossom');
});

test('the blossoms of the shipped catalog differ in colour', () => {
  const ids = ['anima', 'z_image', 'chroma', 'hidream', 'ltx_video', 'seed_audio'];
  expect(new Set(ids.map(id => architectureIdentity(id).color)).size).toBe(ids.length);
});
