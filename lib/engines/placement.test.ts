import { expect, test } from 'vitest';
import { place, type Pace, type Standing, type Waiting } from '#lib/engines/placement';
import type { Server } from '#lib/engines/server';

const LINES = ['a', 'b', 'c'];
const NOW = 1_000_000;
const PACE: Pace = { jobMs: () => 5_000, loadMs: 20_000, patienceMs: 60_000 };

const server = (id: string, more: Partial<Server> = {}): Server => ({
  id,
  engine: 'gpu',
  places: 1,
  shared: true,
  lines: LINES,
  rank: 0,
  use: () => Promise.reject(new Error('not here')),
  ...more,
});

/** Requests named by line and number, in the order in which they came. */
const waiting = (...ids: string[]): Waiting[] =>
  ids.map((id, at) => ({ id, line: id.slice(0, 1), turnAt: new Date(at), heldBy: null }));

function placed(
  servers: Server[],
  requests: Waiting[],
  standing: Record<string, Partial<Standing>> = {},
): Record<string, string> {
  const known = Object.entries(standing).map(([id, own]): [string, Standing] => [
    id,
    { busy: 0, loaded: null, loadedAt: NOW - 30_000, ...own },
  ]);
  const picks = place(servers, new Map(known), requests, NOW, PACE);
  return Object.fromEntries(picks.map(({ id, server }) => [id, server]));
}

test('four requests on four idle servers use all four', () => {
  const servers = ['1', '2', '3', '4'].map(id => server(id, { places: 2 }));
  const used = Object.values(placed(servers, waiting('a1', 'a2', 'a3', 'a4', 'a5')));
  expect(new Set(used.slice(0, 4)).size).toBe(4);
});

test('a server takes no more than it has places for, and only what it serves', () => {
  const servers = [server('1', { places: 2, lines: ['a'] })];
  expect(placed(servers, waiting('b1', 'a1', 'a2', 'a3'))).toEqual({ a1: '1', a2: '1' });
  expect(placed(servers, waiting('a1', 'a2'), { 1: { busy: 1, loaded: 'a' } })).toEqual({ a1: '1' });
  expect(placed(servers, waiting('a1'), { 1: { busy: 2, loaded: 'a' } })).toEqual({});
});

test('a request goes to the server that has its model, though another is free', () => {
  const standing = { 1: { loaded: 'b' }, 2: { loaded: 'a' } };
  expect(placed([server('1'), server('2')], waiting('a1'), standing)).toEqual({ a1: '2' });
});

test('a request waits for a server that has its model and is soon free, while no long queue forms there', () => {
  const standing = { 1: { loaded: 'b' }, 2: { loaded: 'a', busy: 1 } };
  expect(placed([server('1'), server('2')], waiting('a1', 'a2'), standing)).toEqual({});
  const many = Array.from({ length: 6 }, (_, at) => `a${at}`);
  expect(placed([server('1'), server('2')], waiting(...many), standing)).toEqual({ a0: '1' });
});

test('a server goes on with its model while others wait, but not for ever', () => {
  const both = waiting('b1', 'a1');
  expect(placed([server('1')], both, { 1: { loaded: 'a', loadedAt: NOW - 59_000 } })).toEqual({ a1: '1' });
  expect(placed([server('1')], both, { 1: { loaded: 'a', loadedAt: NOW - 61_000 } })).toEqual({ b1: '1' });
});

test('of lines that need a server, the one whose first request came first gets it', () => {
  expect(placed([server('1')], waiting('c1', 'b1', 'c2'))).toEqual({ c1: '1' });
});

test('a preferred engine comes first while it has room', () => {
  const servers = [server('own', { rank: 0 }), server('hosted', { rank: 1, engine: 'hosted' })];
  expect(placed(servers, waiting('a1'))).toEqual({ a1: 'own' });
  expect(placed(servers, waiting('a1'), { own: { busy: 1 } })).toEqual({ a1: 'hosted' });
});

test('a job that was left at a server goes back there, room or not', () => {
  const [request] = waiting('a1');
  const held = [{ ...request!, heldBy: '2' }];
  expect(placed([server('1'), server('2')], held, { 2: { busy: 1 } })).toEqual({ a1: '2' });
  // unless nobody knows the server any more
  expect(placed([server('1')], held)).toEqual({ a1: '1' });
});
