import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';

const SECOND = 1000;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'all'],
  queryFn: async ({ signal }) => (await api.listWebhooks({ signal })).data,
  refetchInterval: 15 * SECOND,
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => api.getWebhook({ params: { webhook_id: id }, signal }),
    refetchInterval: 5 * SECOND,
  });

export type DeliveryFilter = 'pending' | 'delivered' | 'failed' | undefined;

/** Deliveries of a webhook, newest first, page by page; polled while `live`. */
export const deliveriesQuery = (id: string, status: DeliveryFilter, live: boolean) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id, status ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      api.listDeliveries({
        params: { webhook_id: id },
        query: { limit: '20', status, cursor: pageParam },
        signal,
      }),
    ...pageByPage,
    // a refetch reads every loaded page, so the interval grows with their number
    refetchInterval: ({ state }) => live && 1.5 * SECOND * (state.data?.pages.length ?? 1),
  });

export const deliveryQuery = (webhookId: string, id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: ({ signal }) => api.getDelivery({ params: { webhook_id: webhookId, delivery_id: id }, signal }),
    refetchInterval: ({ state }) => state.data?.status === 'pending' && 1.5 * SECOND,
  });
