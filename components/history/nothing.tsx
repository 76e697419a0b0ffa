'use client';

import Link from 'next/link';
import { clearFilters } from '#components/history/use-history-filter';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';

/** Empty state of the history. */
export function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) {
    return (
      <EmptyState title="Nothing found" action={<Button onClick={clearFilters}>Clear the filters</Button>}>
        No results match. Remove a filter, or search for fewer words.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Your history is empty"
      action={
        <Button asChild tone="primary">
          <Link href="/create">Create something</Link>
        </Button>
      }
    >
      Everything you make is kept here for 30 days: images, videos and audio, with the settings that made them.
    </EmptyState>
  );
}
