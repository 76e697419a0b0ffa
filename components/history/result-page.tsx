'use client';

import { memo } from 'react';
import { useRouter } from 'next/navigation';
import { nameOf } from '#components/generations/name-of';
import { useRequestActs } from '#components/generations/use-request-acts';
import { BackLink } from '#components/ui/back-link';
import { besidePage, InPlace } from '#components/ui/on-demand';
import { Skeleton } from '#components/ui/skeleton';
import { Viewer } from '#components/viewer/viewer';
import type { ViewerActsProps } from '#components/viewer/viewer-acts';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestDetailWire } from '#lib/contract/schemas';

const ViewerActs = besidePage(async () => (await import('#components/viewer/viewer-acts')).ViewerActs);

/** Memoised so that re-renders around it leave the server-rendered actions in place until their code has loaded. */
const Acts = memo((props: ViewerActsProps) => (
  <InPlace fallback={<Skeleton className="h-14 lg:h-56" />}>
    <ViewerActs {...props} />
  </InPlace>
));

/** The viewer as a page with a permanent address. */
export function ResultPage({ first, entries }: { first: RequestDetailWire; entries: readonly CatalogEntry[] }) {
  const router = useRouter();
  const { remove } = useRequestActs();
  return (
    <div className="-mx-5 -my-6 flex flex-col md:-mx-[clamp(1.25rem,4vw,4rem)] md:-my-10 lg:h-[calc(100dvh-var(--told))]">
      <h1 className="sr-only">{nameOf(first) || 'Result'}</h1>
      <Viewer
        id={first.request_id}
        first={first}
        entries={entries}
        Acts={Acts}
        onDelete={request => {
          remove([request]);
          router.push('/history');
        }}
        controls={<BackLink href="/history">History</BackLink>}
      />
    </div>
  );
}
