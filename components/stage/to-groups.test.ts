import { expect, test } from 'vitest';
import type { Submission } from '#components/generations/visit';
import { toGroups } from '#components/stage/to-groups';
import type { RequestWire } from '#lib/contract/schemas';

const START = Date.parse('2026-11-21T10:00:00.000Z');

const made = (id: string, at: number, more: Partial<RequestWire> = {}) =>
  ({
    request_id: id,
    created_at: new Date(START + at).toISOString(),
    architecture: 'mango',
    model_id: 'mango-v3',
    prompt: 'figs',
    billing: { mode: 'gems', gems_charged: 10 },
    expected: { width: 800, height: 1000, duration: 0 },
    ...more,
  }) as RequestWire;

const sent = (key: string, group: string, more: Partial<Submission> = {}): Submission => ({
  key,
  group,
  architecture: 'mango',
  type: 'image',
  body: { prompt: 'figs' },
  gems: 10,
  aspect: 0.8,
  createdAt: START,
  ...more,
});

const shown = (visit: Submission[], requests: RequestWire[]) =>
  toGroups(visit, requests).map(({ places }) =>
    places.map(({ request, submission }) => request?.request_id ?? submission?.key),
  );

test('equal requests created at nearly the same time form a group, oldest first; any other stands alone', () => {
  const requests = [
    made('f', 9_000),
    made('e', 5_100, { prompt: 'pears' }),
    made('d', 5_050),
    made('c', 5_000, { expected: { width: 1000, height: 1000, duration: 0 } }),
    made('b', 900),
    made('a', 500),
  ];
  expect(shown([], requests)).toEqual([['f'], ['e'], ['d'], ['c'], ['a', 'b']]);
});

test('requests of a group are ordered by seed, across the highest seed, whatever their creation order', () => {
  const seeds = { a: 0, b: 4294967294, c: 1, d: 4294967295 };
  const requests = Object.entries(seeds).map(([id, seed], n) => made(id, 10 - n, { seed }));
  expect(shown([], requests)).toEqual([['b', 'd', 'a', 'c']]);
  const [group] = toGroups([], requests);
  expect(group?.key).toBe('d');
});

test('a group has at most four requests', () => {
  const requests = Array.from({ length: 6 }, (_, n) => made(String(6 - n), 100 - n));
  expect(shown([], requests)).toEqual([
    ['3', '4', '5', '6'],
    ['1', '2'],
  ]);
});

test('submissions of this tab keep their groups and order, whether accepted or not', () => {
  const visit = [
    sent('k1', 'second', { requestId: 'x' }),
    sent('k2', 'second'),
    sent('k3', 'first', { requestId: 'z' }),
    sent('k4', 'first', { requestId: 'y' }),
  ];
  const requests = [made('x', 2_000), made('y', 1_010), made('z', 1_000)];
  expect(shown(visit, requests)).toEqual([
    ['x', 'k2'],
    ['z', 'y'],
  ]);
});

test('a group and its places keep their keys when a submission is accepted', () => {
  const [before] = toGroups([sent('k1', 'press'), sent('k2', 'press')], []);
  const [after] = toGroups([sent('k1', 'press', { requestId: 'a' }), sent('k2', 'press')], [made('a', 0)]);
  expect(after?.key).toBe(before?.key);
  expect(after?.places.map(({ key }) => key)).toEqual(before?.places.map(({ key }) => key));
});

test('a refused submission is sorted by its time, and a deleted request is left out', () => {
  const refusal = { code: 'insufficient_gems', message: 'No.', issues: [] };
  const visit = [sent('k1', 'p1', { createdAt: START + 1_500, refusal }), sent('k2', 'p2', { requestId: 'deleted' })];
  expect(shown(visit, [made('b', 2_000), made('a', 1_000)])).toEqual([['b'], ['k1'], ['a']]);
});
