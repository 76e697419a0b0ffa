import { expect, test } from 'vitest';
import { readFrame } from '#components/history/gallery-frame';

test('a cookie says width and zone; anything else is a guess for phones, and none for others', () => {
  expect(readFrame('1240 Europe/Berlin', true)).toEqual({ width: 1240, zone: 'Europe/Berlin' });
  for (const cookie of [undefined, '', '1240', '1240 Nowhere/At', '99999 UTC', '<b> UTC']) {
    expect(readFrame(cookie, true)).toEqual({ width: 372, zone: 'UTC' });
    expect(readFrame(cookie, false)).toEqual({ width: 0, zone: 'UTC' });
  }
});
