'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useRequestActs } from '#components/generations/use-request-acts';
import { zipHref } from '#components/generations/zip-href';
import { replaceAddress } from '#components/viewer/use-view-address';
import { Button } from '#components/ui/button';
import { historyQuery } from '#lib/client/history-queries';
import { ZIP_SIZE } from '#lib/contract/library-limits';

const listQuery = historyQuery({ expiring: 'true' });
/** Apart from the list behind the filter: held here, that would be shown with what was kept since. */
const ownQuery = { ...listQuery, queryKey: [...listQuery.queryKey, 'note'] };

/** Says a week ahead what is about to go, with the ways to have it longer. */
export function ExpiringNote() {
  const { data } = useInfiniteQuery(ownQuery);
  const { setKept } = useRequestActs();
  const page = data?.pages[0];
  const expiring = page?.data.filter(({ kept }) => !kept) ?? [];
  if (!page || expiring.length === 0) return null;
  const count = page.next_cursor ? `${expiring.length} and more` : expiring.length;
  return (
    <aside
      aria-label="About to expire"
      className="flex flex-wrap items-center gap-x-5 gap-y-2 rounded-lg bg-sunk px-4 py-2.5 text-sm"
    >
      <p className="flex grow items-center gap-2.5">
        <Hourglass className="size-4 shrink-0 text-accent-ink" aria-hidden />
        {expiring.length === 1 ? 'One result expires' : `${count} results expire`} within a week.
      </p>
      <div className="-mx-3 flex flex-wrap">
        <Button size="sm" tone="ghost" onClick={() => replaceAddress({ expiring: 'true' })}>
          Show them
        </Button>
        <Button size="sm" tone="ghost" onClick={() => void setKept(expiring, true)}>
          Keep {page.next_cursor ? 'these' : 'all'}
        </Button>
        <Button asChild size="sm" tone="ghost">
          <a href={zipHref(expiring.slice(0, ZIP_SIZE))} download>
            Download {page.next_cursor ? 'these' : 'all'}
          </a>
        </Button>
      </div>
    </aside>
  );
}
