import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/errors';
import { collect } from '#lib/client/collect';

const ALL = Array.from({ length: 250 }, (_, n) => `r${n}`);
const there = new Set<string>();
const collected = new Set<string>();

const put = vi.hoisted(() => vi.fn());
vi.mock('#lib/client/studio-api', () => ({
  studioApi: {
    putItems: (call: { body: { request_ids: string[] } }) => put(call.body.request_ids),
    createCollection: (call: { body: { request_ids: string[] } }) => put(call.body.request_ids),
  },
}));
vi.mock('#lib/client/still-there', () => ({
  stillThere: (_: QueryClient, ids: string[]) => Promise.resolve(ids.filter(id => there.has(id))),
}));

beforeEach(() => {
  collected.clear();
  ALL.forEach(id => there.add(id));
  put.mockImplementation(async (ids: string[]) => {
    if (!ids.every(id => there.has(id)))
      throw new ApiError({ status: 404, code: 'request_not_found', message: 'One is not there.' });
    ids.forEach(id => collected.add(id));
    return { id: 'c', name: 'Figs' };
  });
});

test.each(['r3', 'r231'])('all remaining requests are collected when %s was deleted elsewhere', async gone => {
  there.delete(gone);
  for (const to of [{ name: 'Figs' }, { id: 'c' }]) {
    collected.clear();
    await collect(new QueryClient(), to, ALL);
    expect(collected).toEqual(there);
  }
});

test('an error is passed on when every request still exists, and also when none is left', async () => {
  put.mockImplementation(async () => {
    throw new ApiError({ status: 404, code: 'not_found', message: 'No such collection.' });
  });
  await expect(collect(new QueryClient(), { id: 'c' }, ALL)).rejects.toMatchObject({ status: 404 });
  there.clear();
  await expect(collect(new QueryClient(), { id: 'c' }, ALL)).rejects.toMatchObject({ status: 404 });
});
