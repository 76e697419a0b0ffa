'use client';

import type { ComponentProps, ReactNode } from 'react';
import { notFound } from 'next/navigation';
import type { UseQueryResult } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Skeleton } from '#components/ui/skeleton';
import { isNotFound } from '#lib/client/or-gone';

/** Renders a query: a placeholder while it loads, an error with a retry button, or its data. */
export function QueryView<T>({
  query,
  skeleton,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <Alert
        tone="bad"
        title="This did not load."
        action={
          <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {query.error.message}
      </Alert>
    );
  }
  return <Loading>{skeleton}</Loading>;
}

/** Like `QueryView`, for the subject of a page: if it is deleted, shows "not found" even if cached data exist. */
export function PageView<T>(props: ComponentProps<typeof QueryView<T>>) {
  const { error } = props.query;
  if (isNotFound(error)) notFound();
  return <QueryView {...props} />;
}

/** Placeholder of content that is loading. */
export const Loading = ({ children = <Rows /> }: { children?: ReactNode }) => (
  <section aria-busy="true" aria-label="Loading">
    {children}
  </section>
);

function Rows() {
  return (
    <div className="unmeasured grid gap-4">
      {['w-full', 'w-11/12', 'w-full', 'w-10/12'].map((width, i) => (
        <Skeleton key={i} className={`h-8 ${width}`} />
      ))}
    </div>
  );
}
