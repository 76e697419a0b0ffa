'use client';

import { useState, type ReactNode } from 'react';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ApiError } from '#client/errors';

const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** What pages know of the server. A session that ended elsewhere leads to the sign-in page, and back. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({
          onError: error => {
            if (!(error instanceof ApiError) || error.status !== 401) return;
            location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
          },
        }),
        defaultOptions: { queries: { retry: (failures, error) => failures < 2 && !isRefusal(error), staleTime: 2000 } },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
