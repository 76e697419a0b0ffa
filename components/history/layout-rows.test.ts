import { expect, test, vi } from 'vitest';
import { daysHere } from '#components/history/days-here';
import { daysIn } from '#components/history/days-in';
import { GAP, layoutRows } from '#components/history/layout-rows';
import type { RequestWire } from '#lib/contract/schemas';

const sizes = [
  [1024, 1024],
  [1920, 1080],
  [832, 1248],
  [0, 0],
  [3136, 1344],
  [480, 2000],
] as const;

const made = (count: number, day: (n: number) => string = () => '2026-11-20'): RequestWire[] =>
  Array.from({ length: count }, (_, n) => {
    const [width, height] = sizes[n % sizes.length]!;
    return {
      request_id: `id-${n}`,
      type: width ? 'image' : 'audio',
      created_at: day(n),
      expected: { width, height, duration: 0 },
      result: null,
    } as RequestWire;
  });

const tilesOf = (requests: RequestWire[], width: number) =>
  layoutRows(requests, width, time => time).flatMap(row => (row.kind === 'tiles' ? [row] : []));

test.each([320, 350, 768, 1064, 2400])('rows fill a width of %d and contain each request once, in order', width => {
  const rows = tilesOf(made(400), width);
  for (const { tiles } of rows.slice(0, -1)) {
    expect(tiles.reduce((sum, tile) => sum + tile.width, GAP * (tiles.length - 1))).toBe(width);
  }
  for (const { tiles, mediaHeight } of rows) {
    expect(mediaHeight).toBeLessThan(260);
    expect(mediaHeight).toBeGreaterThan(60);
    for (const tile of tiles) expect(tile.width).toBeGreaterThan(88);
  }
  expect(rows.flatMap(row => row.tiles.map(({ index }) => index))).toEqual(Array.from({ length: 400 }, (_, n) => n));
});

test('each day starts with a row for its name, followed by rows of its own', () => {
  const rows = layoutRows(
    made(3, n => (n === 0 ? '2026-11-20' : '2026-11-19')),
    1000,
    time => time,
  );
  expect(rows.map(row => (row.kind === 'day' ? row.day : row.tiles.length))).toEqual([
    '2026-11-20',
    1,
    '2026-11-19',
    2,
  ]);
});

test('a request in progress takes up the same width as its result', () => {
  const live = made(6);
  const done = live.map(request => {
    const { width, height } = request.expected;
    return { ...request, result: { type: request.type, width, height } } as RequestWire;
  });
  expect(tilesOf(done, 1000).map(row => row.tiles.map(tile => tile.width))).toEqual(
    tilesOf(live, 1000).map(row => row.tiles.map(tile => tile.width)),
  );
});

test('when more requests can be loaded, only full rows are shown, and they do not change later', () => {
  const all = made(200);
  const begun = layoutRows(all.slice(0, 100), 1000, time => time, { hasMore: true });
  const more = layoutRows(all, 1000, time => time, { hasMore: true });
  expect(begun.length).toBeGreaterThan(10);
  expect(more.slice(0, begun.length)).toEqual(begun);
});

test('when more requests can be loaded, a day is named only after its first row is full', () => {
  const requests = made(40, n => (n < 39 ? '2026-11-20' : '2026-11-19'));
  const begun = layoutRows(requests, 1000, time => time, { hasMore: true });
  expect(begun.at(-1)).toMatchObject({ kind: 'tiles' });
  expect(begun.filter(row => row.kind === 'day')).toHaveLength(1);
  expect(layoutRows(requests, 1000, time => time).filter(row => row.kind === 'day')).toHaveLength(2);
});

test('naming the days of ten thousand requests needs few Intl calls, and almost none the second time', () => {
  const now = Date.parse('2026-11-27T12:00:00Z');
  const requests = made(10_000, n => new Date(now - n * 60_000).toISOString());
  const format = vi.spyOn(Intl.DateTimeFormat.prototype as { readonly format: unknown }, 'format', 'get');
  const days = () =>
    layoutRows(requests, 1000, daysIn('Asia/Kathmandu', now)).flatMap(row => (row.kind === 'day' ? row.day : []));
  expect(days()).toEqual([
    'Today',
    'Yesterday',
    'Wednesday, November 25',
    'Tuesday, November 24',
    'Monday, November 23',
    'Sunday, November 22',
    'Saturday, November 21',
    'Friday, November 20',
  ]);
  expect(format.mock.calls.length).toBeLessThan(1_500);
  format.mockClear();
  days();
  expect(format.mock.calls.length).toBeLessThan(10);
  format.mockRestore();
});

test.each([
  ['2026-03-30T00:30:00+02:00', '2026-03-29'],
  ['2026-10-25T23:30:00+01:00', '2026-10-24'],
  ['2026-11-27T00:00:00+01:00', '2026-11-26'],
])('at %s, yesterday is %s, also if the clocks changed in between', (now, yesterday) => {
  const say = daysIn('Europe/Berlin', Date.parse(now));
  expect(say(`${yesterday}T12:00:00Z`)).toBe('Yesterday');
  expect(say(now)).toBe('Today');
  expect(say(new Date(Date.parse(`${yesterday}T12:00:00Z`) - 86_400_000).toISOString())).toMatch(/^\w+day, /);
});

test('in the local time zone, daysHere and daysIn return the same names', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const HOUR = 3_600_000;
  for (let now = Date.parse('2025-12-01T00:00:00Z'); now < Date.parse('2026-12-01T00:00:00Z'); now += 31 * HOUR) {
    const [here, there] = [daysHere(now), daysIn(timeZone, now)];
    for (let ago = 0; ago < 400; ago += 7 + (ago % 5)) {
      const time = new Date(now - ago * HOUR).toISOString();
      expect(here(time)).toBe(there(time));
    }
  }
});

test('a day of another year is shown with its year', () => {
  const say = daysIn('UTC', Date.parse('2026-01-02T12:00:00Z'));
  expect(['2026-01-02', '2026-01-01', '2025-12-31'].map(day => say(`${day}T08:07:00Z`))).toEqual([
    'Today',
    'Yesterday',
    'December 31, 2025',
  ]);
});
