import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { accountApi } from '#lib/client/account-api';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';
import type { LedgerEntryWire } from '#lib/contract/schemas';

// Everything of the account begins with `account`, so that one call makes all of it fresh after gems moved.

const SECOND = 1000;

export const profileQuery = queryOptions({
  queryKey: ['account', 'profile'],
  queryFn: ({ signal }) => accountApi.getProfile({ signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await accountApi.listSessions({ signal })).data,
});

export const quotasQuery = queryOptions({
  queryKey: ['account', 'quotas'],
  queryFn: async ({ signal }) => (await accountApi.getQuotas({ signal })).data,
});

export const keysQuery = queryOptions({
  queryKey: ['account', 'keys'],
  queryFn: async ({ signal }) => (await accountApi.listKeys({ signal })).data,
  refetchInterval: 30 * SECOND,
});

export const gemsQuery = queryOptions({
  queryKey: ['account', 'gems'],
  queryFn: ({ signal }) => accountApi.getGems({ signal }),
  // asked for anew whenever something is sent or ends; this is for what happens elsewhere
  refetchInterval: 60 * SECOND,
});

export const noticesQuery = queryOptions({
  queryKey: ['account', 'notices'],
  queryFn: ({ signal }) => accountApi.getNotices({ signal }),
  refetchInterval: 60 * SECOND,
});

export type UsageDays = '30' | '90';
export const usageQuery = (days: UsageDays, keyId?: string) =>
  queryOptions({
    queryKey: ['account', 'usage', keyId ?? 'all', days],
    queryFn: ({ signal }) => accountApi.getUsage({ query: { days, key_id: keyId }, signal }),
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
  queryFn: ({ pageParam, signal }) => accountApi.listPayments({ query: { cursor: pageParam }, signal }),
  ...pageByPage,
});
