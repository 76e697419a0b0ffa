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
  loads: true,
  rank: 0,
  use: () => Promise.reject(new Error('not here')),
  ...more,
});

/** Requests whose ids consist of line and number, in order of arrival. */
const waiting = (...ids: string[]): Waiting[] =>
  ids.map((id, at) => ({ id, line: id.slice(0, 1), turnAt: new Date(at), heldBy: null }));

function placed(
  servers: Server[],
  requests: Waiting[],
  standing: Record<string, Partial<Standing>> = {},
): Record<string, string> {
  const known = Object.entries(standing).map(([id, own]): [string, Standing] => [
    id,
    { busy: 0, longestMs: 0, loaded: null, loadedAt: NOW - 30_000, ...own },
  ]);
  const picks = place(servers, new Map(known), requests, NOW, PACE);
  return Object.fromEntries(picks.map(({ id, server }) => [id, server]));
}

test('four requests on four idle servers use all four', () => {
  const servers = ['1', '2', '3', '4'].map(id => server(id, { places: 2 }));
  const used = Object.values(placed(servers, waiting('a1', 'a2', 'a3', 'a4', 'a5')));
  expect(new Set(used.slice(0, 4)).size).toBe(4);
});

test('a server takes at most as many requests as it has places, and only of lines that it serves', () => {
  const servers = [server('1', { places: 2, lines: ['a'] })];
  expect(placed(servers, waiting('b1', 'a1', 'a2', 'a3'))).toEqual({ a1: '1', a2: '1' });
  expect(placed(servers, waiting('a1', 'a2'), { 1: { busy: 1, loaded: 'a' } })).toEqual({ a1: '1' });
  expect(placed(servers, waiting('a1'), { 1: { busy: 2, loaded: 'a' } })).toEqual({});
});

test('a request goes to the server that has its model loaded, even if another server is free', () => {
  const standing = { 1: { loaded: 'b' }, 2: { loaded: 'a' } };
  expect(placed([server('1'), server('2')], waiting('a1'), standing)).toEqual({ a1: '2' });
});

test('a request waits for a busy server with its model, unless too many requests wait for that server', () => {
  const standing = { 1: { loaded: 'b' }, 2: { loaded: 'a', busy: 1 } };
  expect(placed([server('1'), server('2')], waiting('a1', 'a2'), standing)).toEqual({});
  const many = Array.from({ length: 6 }, (_, at) => `a${at}`);
  expect(placed([server('1'), server('2')], waiting(...many), standing)).toEqual({ a0: '1' });
  // the request that server 1 takes now counts as its backlog for the next one
  expect(placed([server('1'), server('2')], waiting('a1', 'a2'), { 1: { loaded: 'a' } })).toEqual({ a1: '1' });
  expect(placed([server('1'), server('2')], waiting(...many), { 1: { loaded: 'a' } })).toEqual({ a0: '1', a1: '2' });
});

test('servers with the same loaded model share its waiting requests, counting the jobs that each already runs', () => {
  const has = { loaded: 'a', busy: 1 };
  const many = waiting('a1', 'a2', 'a3', 'a4', 'a5');
  expect(placed([server('1'), server('2'), server('3')], many, { 1: has, 2: has })).toEqual({});
  expect(placed([server('1', { places: 2 }), server('2')], many.slice(0, 3), { 1: { ...has, busy: 2 } })).toEqual({
    a1: '2',
  });
});

test('a server continues with its loaded model while other lines wait, but only for a limited time', () => {
  const both = waiting('b1', 'a1');
  expect(placed([server('1')], both, { 1: { loaded: 'a', loadedAt: NOW - 59_000 } })).toEqual({ a1: '1' });
  expect(placed([server('1')], both, { 1: { loaded: 'a', loadedAt: NOW - 61_000 } })).toEqual({ b1: '1' });
  const tired = { 1: { loaded: 'a', loadedAt: NOW - 61_000 } };
  expect(placed([server('1')], waiting('a1', 'a2', 'a3', 'a4', 'a5', 'b1'), tired)).toEqual({ b1: '1' });
  // no other line has waiting requests
  expect(placed([server('1')], waiting('a1'), tired)).toEqual({ a1: '1' });
});

test('the request of a line with the earliest turn comes first, in whatever order requests are read', () => {
  expect(placed([server('1')], waiting('a2', 'a1').toReversed())).toEqual({ a2: '1' });
});

test('places are limited only at shared servers, and not for a job that is already there', () => {
  const places = (one: Server, heldBy: string | null = null) =>
    place([one], new Map(), [{ ...waiting('a1')[0]!, heldBy }], NOW, PACE)[0]!.places;
  expect(places(server('1', { places: 2 }))).toBe(2);
  expect(places(server('1', { places: 2, shared: false }))).toBeNull();
  expect(places(server('1'), '1')).toBeNull();
});

test('the line whose first request arrived first gets the server that several lines need', () => {
  expect(placed([server('1')], waiting('c1', 'b1', 'c2'))).toEqual({ c1: '1' });
});

test('a preferred engine is used first while it has free places', () => {
  const servers = [server('own', { rank: 0 }), server('hosted', { rank: 1, engine: 'hosted' })];
  expect(placed(servers, waiting('a1'))).toEqual({ a1: 'own' });
  expect(placed(servers, waiting('a1'), { own: { busy: 1 } })).toEqual({ a1: 'hosted' });
});

test('a request goes to an idle server rather than to one that no longer serves its loaded model', () => {
  const servers = [server('1', { lines: ['a'] }), server('2')];
  expect(placed(servers, waiting('b1'), { 1: { loaded: 'b' } })).toEqual({ b1: '2' });
});

test('a request does not wait for a job that already takes longer than usual for its line', () => {
  const servers = [server('1'), server('2')];
  const busy = (longestMs: number) => ({ 1: { busy: 1, longestMs, loaded: 'a' } });
  expect(placed(servers, waiting('a1'), busy(4_000))).toEqual({});
  expect(placed(servers, waiting('a1'), busy(590_000))).toEqual({ a1: '2' });
});

test('a preferred engine that loads no models is filled first, whatever it already runs', () => {
  const hosted = (id: string, rank: number) => server(id, { engine: id, rank, loads: false, places: 3 });
  const servers = [hosted('first', 0), hosted('second', 1)];
  expect(placed(servers, waiting('a1', 'b1', 'a2'), { first: { busy: 1 } })).toEqual({
    a1: 'first',
    b1: 'first',
    a2: 'second',
  });
  // servers of equal rank share the requests
  const same = servers.map(one => ({ ...one, rank: 0 }));
  expect(placed(same, waiting('a1', 'a2'), { first: { busy: 1 } })).toEqual({ a1: 'second', a2: 'first' });
});

test('an engine that loads no models leaves to a preferred engine only what that can start soon', () => {
  const hosted = (rank: number) => server('hosted', { engine: 'hosted', rank, loads: false, places: 50 });
  const own = server('own', { places: 2, rank: 1 });
  const busy = { own: { busy: 1, loaded: 'a' } };
  expect(placed([own, hosted(2)], waiting('a1', 'b1'), busy)).toEqual({ a1: 'own', b1: 'hosted' });
  expect(placed([own, hosted(2)], waiting('a1'), { own: { ...busy.own, longestMs: 60_000 } })).toEqual({
    a1: 'hosted',
  });
  // an engine of equal rank is not a preferred one
  expect(placed([own, hosted(1)], waiting('a1'), busy)).toEqual({ a1: 'hosted' });
  expect(placed([own, hosted(0)], waiting('a1', 'a2'), { own: { loaded: 'a' } })).toEqual({
    a1: 'hosted',
    a2: 'hosted',
  });
});

test('an engine that loads no models takes requests in their order, whatever their lines', () => {
  const hosted = server('hosted', { loads: false, places: 2 });
  expect(placed([hosted], waiting('a1', 'b1', 'a2'))).toEqual({ a1: 'hosted', b1: 'hosted' });
});

test('a job left at a server returns to that server, even if all its places are taken', () => {
  const [request] = waiting('a1');
  const held = [{ ...request!, heldBy: '2' }];
  expect(placed([server('1'), server('2')], held, { 2: { busy: 1 } })).toEqual({ a1: '2' });
  // unless the server is no longer known
  expect(placed([server('1')], held)).toEqual({ a1: '1' });
});
