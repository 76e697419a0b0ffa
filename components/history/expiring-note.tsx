'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useRequestActs } from '#components/generations/use-request-acts';
import { zipHref } from '#components/generations/zip-href';
import { replaceAddress } from '#components/viewer/use-view-address';
import { Button } from '#components/ui/button';
import { useIdle } from '#components/ui/use-idle';
import { historyQuery } from '#lib/client/history-queries';
import { ZIP_SIZE } from '#lib/contract/library-limits';

const listQuery = historyQuery({ expiring: 'true' });
/** Cached apart from the list behind the filter, which would otherwise still show results that were kept since. */
const ownQuery = { ...listQuery, queryKey: [...listQuery.queryKey, 'note'] };

/** Number of expiring results on the first page, and whether there are more. */
export interface Counted {
  count: number;
  hasMore: boolean;
}

/** Announces results that expire within a week, with the ways to keep them. */
export function ExpiringNote({ counted }: { counted: Counted }) {
  // the server sends only the count; the results themselves are fetched when the page is idle
  const { data } = useInfiniteQuery({ ...ownQuery, enabled: useIdle() });
  const { setKept } = useRequestActs();
  const page = data?.pages[0];
  const expiring = page?.data.filter(({ kept }) => !kept) ?? [];
  const { count, hasMore } = page ? { count: expiring.length, hasMore: page.next_cursor !== null } : counted;
  if (count === 0) return null;
  return (
    <aside
      aria-label="About to expire"
      className="flex flex-wrap items-center gap-x-5 gap-y-2 rounded-lg bg-sunk px-4 py-2.5 text-sm"
    >
      <p className="flex grow items-center gap-2.5">
        <Hourglass className="size-4 shrink-0 text-accent-ink" aria-hidden />
        {count === 1 ? 'One result expires' : `${count}${hasMore ? ' and more' : ''} results expire`} within a week.
      </p>
      <div inert={!page} className="-mx-3 flex flex-wrap">
        <Button size="sm" tone="ghost" onClick={() => replaceAddress({ expiring: 'true' })}>
          Show them
        </Button>
        <Button size="sm" tone="ghost" onClick={() => void setKept(expiring, true)}>
          Keep {hasMore ? 'these' : 'all'}
        </Button>
        <Button asChild size="sm" tone="ghost">
          <a href={zipHref(expiring.slice(0, ZIP_SIZE))} download>
            Download {hasMore ? 'these' : 'all'}
          </a>
        </Button>
      </div>
    </aside>
  );
}
