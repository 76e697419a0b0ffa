'use client';

import type { ReactNode } from 'react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { QueryView } from '#components/ui/query-view';

/** A list that comes page by page, with a way to more of it. Apart from what has one query: the History's first load is without it. */
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
