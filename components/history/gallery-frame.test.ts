import { expect, test } from 'vitest';
import { readFrame, zoneNow } from '#components/history/gallery-frame';

test('a valid cookie sets width and time zone; without one, phones get a default width and others none', () => {
  expect(readFrame('1240 Europe/Berlin', true)).toEqual({ width: 1240, zone: 'Europe/Berlin' });
  for (const cookie of [undefined, '', '1240', '1240 Nowhere/At', '99999 UTC', '<b> UTC']) {
    expect(readFrame(cookie, true)).toEqual({ width: 372, zone: 'UTC' });
    expect(readFrame(cookie, false)).toEqual({ width: 0, zone: 'UTC' });
  }
});

test('a time zone is stored as its offset from UTC', () => {
  for (const [east, zone] of [
    [0, '+00:00'],
    [540, '+09:00'],
    [345, '+05:45'],
    [-210, '-03:30'],
    [-660, '-11:00'],
  ] as const) {
    expect(zoneNow(east)).toBe(zone);
    expect(readFrame(`372 ${zone}`, false)).toEqual({ width: 372, zone });
  }
});
