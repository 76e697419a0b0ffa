import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { accountApi } from '#lib/client/account-api';

const SECOND = 1000;

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
};

export const accountsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'accounts', 'found', q],
    queryFn: ({ pageParam, signal }) => accountApi.findAccounts({ query: { q, cursor: pageParam }, signal }),
    placeholderData: keepPreviousData,
    ...pages,
  });

export const accountDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'accounts', 'one', id],
    queryFn: ({ signal }) => accountApi.getAccountDetail({ params: { account_id: id }, signal }),
  });

export const invitesQuery = infiniteQueryOptions({
  queryKey: ['admin', 'invites'],
  queryFn: ({ pageParam, signal }) => accountApi.listInvites({ query: { cursor: pageParam }, signal }),
  ...pages,
});

export type RequestView = 'live' | 'stuck' | 'failed' | 'all';
export const allRequestsQuery = (view: RequestView, accountId?: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'requests', view, accountId ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      accountApi.findRequests({ query: { view, account_id: accountId, cursor: pageParam }, signal }),
    refetchInterval: view === 'live' || view === 'stuck' ? 3 * SECOND : 15 * SECOND,
    ...pages,
  });

export const allArchitecturesQuery = queryOptions({
  queryKey: ['admin', 'architectures'],
  queryFn: async ({ signal }) => (await accountApi.listAllArchitectures({ signal })).data,
});

export const enginesQuery = queryOptions({
  queryKey: ['admin', 'engines'],
  queryFn: async ({ signal }) => (await accountApi.listEngines({ signal })).data,
  refetchInterval: 5 * SECOND,
});

export const limitsQuery = queryOptions({
  queryKey: ['admin', 'limits'],
  queryFn: async ({ signal }) => (await accountApi.listLimits({ signal })).data,
  refetchInterval: 15 * SECOND,
});

export const auditQuery = (accountId?: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', accountId ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      accountApi.listAudit({ query: { account_id: accountId, cursor: pageParam }, signal }),
    ...pages,
  });
