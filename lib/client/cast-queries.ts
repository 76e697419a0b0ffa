import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { awaitForms } from '#lib/client/await-forms';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';

const SECOND = 1000;

export const charactersQuery = queryOptions({
  queryKey: ['characters'],
  queryFn: ({ signal }) => allPages(cursor => api.listCharacters({ query: { limit: '200', cursor }, signal })),
  staleTime: 30 * SECOND,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => awaitForms(state.data?.flatMap(({ pictures }) => pictures)),
});

export const referencesQuery = queryOptions({
  queryKey: ['references'],
  queryFn: ({ signal }) => allPages(cursor => api.listReferences({ query: { limit: '200', cursor }, signal })),
  staleTime: 30 * SECOND,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => awaitForms(state.data?.flatMap(({ picture }) => picture ?? [])),
});

export const uploadsQuery = infiniteQueryOptions({
  queryKey: ['uploads'],
  queryFn: ({ pageParam, signal }) => api.listUploads({ query: { limit: '200', cursor: pageParam }, signal }),
  ...pageByPage,
  staleTime: 10 * SECOND,
  refetchInterval: ({ state }) =>
    awaitForms(state.data?.pages.flatMap(({ data }) => data.filter(({ status }) => status === 'ready'))),
});

/** Reads all pages of a list. Few accounts have more than one page of characters or references. */
async function allPages<T>(
  read: (cursor: string | undefined) => Promise<{ data: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor);
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}
