'use client';

import type { ReactNode } from 'react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { QueryView } from '#components/ui/query-view';

/** A paginated list with a button for more. Separate from `QueryView`, which the History's first load needs alone. */
export function PagesView<T>({
  query,
  skeleton,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<{ data: T[] }>>;
  skeleton?: ReactNode;
  children: (rows: T[]) => ReactNode;
}) {
  return (
    <QueryView query={query} skeleton={skeleton}>
      {({ pages }) => (
        <div className="grid grid-cols-1 gap-4">
          {children(pages.flatMap(page => page.data))}
          {query.isFetchNextPageError && (
            <Alert tone="bad" title="The rest did not load.">
              {query.error.message}
            </Alert>
          )}
          {query.hasNextPage && (
            <Button
              className="justify-self-center"
              busy={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchNextPageError ? 'Try again' : 'Show more'}
            </Button>
          )}
        </div>
      )}
    </QueryView>
  );
}
