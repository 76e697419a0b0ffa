import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { operatorApi } from '#lib/client/operator-api';
import { pageByPage } from '#lib/client/page-by-page';
import type { EngineEntryWire } from '#lib/contract/engine-schemas';

const SECOND = 1000;

export const accountsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'accounts', 'found', q],
    queryFn: ({ pageParam, signal }) => operatorApi.findAccounts({ query: { q, cursor: pageParam }, signal }),
    placeholderData: keepPreviousData,
    ...pageByPage,
  });

export const accountDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'accounts', 'one', id],
    queryFn: ({ signal }) => operatorApi.getAccountDetail({ params: { account_id: id }, signal }),
  });

export const invitesQuery = infiniteQueryOptions({
  queryKey: ['admin', 'invites'],
  queryFn: ({ pageParam, signal }) => operatorApi.listInvites({ query: { cursor: pageParam }, signal }),
  ...pageByPage,
});

export type RequestView = 'live' | 'stuck' | 'failed' | 'all';
export const allRequestsQuery = (view: RequestView, accountId?: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'requests', view, accountId ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      operatorApi.findRequests({ query: { view, account_id: accountId, cursor: pageParam }, signal }),
    refetchInterval: view === 'live' || view === 'stuck' ? 3 * SECOND : 15 * SECOND,
    ...pageByPage,
  });

export const allArchitecturesQuery = queryOptions({
  queryKey: ['admin', 'architectures'],
  queryFn: async ({ signal }) => (await operatorApi.listAllArchitectures({ signal })).data,
});

export const enginesQuery = queryOptions({
  queryKey: ['admin', 'engines'],
  queryFn: ({ signal }) => operatorApi.listEngines({ signal }),
  refetchInterval: 5 * SECOND,
});

export const limitsQuery = queryOptions({
  queryKey: ['admin', 'limits'],
  queryFn: async ({ signal }) => (await operatorApi.listLimits({ signal })).data,
  refetchInterval: 15 * SECOND,
});

export const engineQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'engines', id],
    queryFn: ({ signal }) => operatorApi.getEngine({ params: { engine_id: id }, signal }),
    // a form edits this data: it is read afresh for each form and never refetched while the form is open
    staleTime: Infinity,
    gcTime: 0,
  });

/** The examination of the first server of an engine. */
export const examinationQuery = (engine: EngineEntryWire | undefined) => {
  const { url, secret } = engine?.servers[0] ?? {};
  return queryOptions({
    queryKey: ['admin', 'engines', engine?.id, 'examination', url, secret],
    queryFn: ({ signal }) =>
      operatorApi.examineServer({ body: { url: url!, secret: secret!, engine_id: engine!.id }, signal }),
    enabled: engine !== undefined,
    staleTime: Infinity,
  });
};

export const workflowsQuery = queryOptions({
  queryKey: ['admin', 'workflows'],
  queryFn: ({ signal }) => operatorApi.listWorkflows({ signal }),
});

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'workflows', id],
    queryFn: ({ signal }) => operatorApi.getWorkflow({ params: { workflow_id: id }, signal }),
    staleTime: Infinity,
    gcTime: 0,
  });

export const auditQuery = (accountId?: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', accountId ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      operatorApi.listAudit({ query: { account_id: accountId, cursor: pageParam }, signal }),
    ...pageByPage,
  });
