import { expect, test } from 'vitest';
import { slug } from '#lib/contract/slug';

test.each([
  ['Flux.1 [dev] – turbo', 40, 'flux_1_dev_turbo'],
  ['  2 Steps!', 40, 'steps'],
  ['one two three', 8, 'one_two'],
  ['漢字', 40, ''],
])('the slug of %s has at most %d characters', (name, length, id) => expect(slug(name, length)).toBe(id));
