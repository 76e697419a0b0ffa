import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { studioApi } from '#lib/client/studio-api';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';
import type { LedgerEntryWire } from '#lib/contract/schemas';

// All query keys here begin with `account`, so that one call invalidates all of them when the balance changes.

const SECOND = 1000;

export const profileQuery = queryOptions({
  queryKey: ['account', 'profile'],
  queryFn: ({ signal }) => studioApi.getProfile({ signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await studioApi.listSessions({ signal })).data,
});

export const quotasQuery = queryOptions({
  queryKey: ['account', 'quotas'],
  queryFn: async ({ signal }) => (await studioApi.getQuotas({ signal })).data,
});

export const keysQuery = queryOptions({
  queryKey: ['account', 'keys'],
  queryFn: async ({ signal }) => (await studioApi.listKeys({ signal })).data,
  refetchInterval: 30 * SECOND,
});

export const gemsQuery = queryOptions({
  queryKey: ['account', 'gems'],
  queryFn: ({ signal }) => studioApi.getGems({ signal }),
  // invalidated whenever a request of this page is submitted or ends; the interval covers changes made elsewhere
  refetchInterval: 60 * SECOND,
});

export const noticesQuery = queryOptions({
  queryKey: ['account', 'notices'],
  queryFn: ({ signal }) => studioApi.getNotices({ signal }),
  refetchInterval: 60 * SECOND,
});

export type UsageDays = '30' | '90';
export const usageQuery = (days: UsageDays, keyId?: string) =>
  queryOptions({
    queryKey: ['account', 'usage', keyId ?? 'all', days],
    queryFn: ({ signal }) => studioApi.getUsage({ query: { days, key_id: keyId }, signal }),
    placeholderData: keepPreviousData,
  });

export type LedgerKind = LedgerEntryWire['kind'];
export const ledgerQuery = (kind?: LedgerKind) =>
  infiniteQueryOptions({
    queryKey: ['account', 'ledger', kind ?? 'all'],
    queryFn: ({ pageParam, signal }) => api.listLedger({ query: { kind, cursor: pageParam }, signal }),
    ...pageByPage,
  });

export const paymentsQuery = infiniteQueryOptions({
  queryKey: ['account', 'payments'],
  queryFn: ({ pageParam, signal }) => studioApi.listPayments({ query: { cursor: pageParam }, signal }),
  ...pageByPage,
});
